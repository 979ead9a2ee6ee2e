//! Tokens: html5gum's events, with only the attributes needed.

use html5gum::emitters::Emitter;
use html5gum::{Error, State, Tokenizer};

use super::head::{Head, ends_foreign};
use super::links::Links;
use super::meta::{MAX_VALUE_BYTES, Meta};
use crate::names::{Attribute, addresses_robots};

/// Bytes kept of the name of a tag or attribute. Every name that matters is shorter, so a cut name
/// is not mistaken for it.
const MAX_NAME_BYTES: usize = 16;

/// Reads `html` from the start to the end; counts links into `links`, if given.
pub(super) fn read(html: &[u8], links: Option<&mut Links>, visit: impl FnMut(Meta<'_>)) {
    let emitter = MetaEmitter {
        visit,
        links,
        head: Head::default(),
        tag: CurrentTag::default(),
        last_start_tag: Vec::new(),
        attribute: Vec::new(),
        value: Vec::new(),
    };
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
}

/// Appends as many of `bytes` as fit within `limit`.
fn push(text: &mut Vec<u8>, bytes: &[u8], limit: usize) {
    let room = limit.saturating_sub(text.len());
    text.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// The tag that is being read. If attributes have the same name, the first counts.
#[derive(Default)]
struct CurrentTag {
    text: Vec<u8>,
    is_end_tag: bool,
    is_self_closing: bool,
    is_meta: bool,
    /// The attributes that are needed.
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl CurrentTag {
    fn value(&self, name: &[u8]) -> Option<&[u8]> {
        let attribute = self.attributes.iter().find(|(known, _)| known == name);
        attribute.map(|(_, value)| value.as_slice())
    }
}

struct MetaEmitter<'l, F> {
    visit: F,
    links: Option<&'l mut Links>,
    head: Head,
    tag: CurrentTag,
    last_start_tag: Vec<u8>,
    attribute: Vec<u8>,
    value: Vec<u8>,
}

impl<F: FnMut(Meta<'_>)> MetaEmitter<'_, F> {
    fn init_tag(&mut self, is_end_tag: bool) {
        let mut text = std::mem::take(&mut self.tag.text);
        text.clear();
        self.tag = CurrentTag {
            text,
            is_end_tag,
            ..CurrentTag::default()
        };
        self.attribute.clear();
    }

    fn keeps_attributes(&self) -> bool {
        self.tag.is_meta || (self.links.is_some() && !self.tag.is_end_tag)
    }

    fn keep_attribute(&mut self) {
        let is_asked_for = match self.attribute.as_slice() {
            b"name" | b"http-equiv" | b"content" => self.tag.is_meta,
            b"href" | b"rel" | b"data-nosnippet" => self.keeps_attributes(),
            _ => false,
        };
        if is_asked_for && self.tag.value(&self.attribute).is_none() {
            let (name, value) = (&mut self.attribute, &mut self.value);
            let attribute = (std::mem::take(name), std::mem::take(value));
            self.tag.attributes.push(attribute);
        }
    }

    fn visit_meta(&mut self) {
        let (Some(content), Some(place)) = (self.tag.value(b"content"), self.head.place()) else {
            return;
        };
        for attribute in Attribute::ALL {
            let name = self.tag.value(attribute.name().as_bytes());
            if let Some(name) = name.filter(|it| addresses_robots(attribute, it)) {
                (self.visit)(Meta {
                    attribute,
                    name,
                    content,
                    place,
                });
            }
        }
    }

    /// Counts the current start tag; `is_html` is false inside `svg` and `math`.
    fn count_links(&mut self, is_html: bool) {
        let (tag, text) = (&self.tag, self.tag.text.as_slice());
        let is_counted = (is_html || ends_foreign(text)) && !self.head.is_left_out();
        let Some(links) = self.links.as_deref_mut().filter(|_| is_counted) else {
            return;
        };
        if tag.value(b"href").is_some() && matches!(text, b"a" | b"area") {
            links.link(tag.value(b"rel").unwrap_or_default());
        }
        if tag.value(b"data-nosnippet").is_some() && !matches!(text, b"svg" | b"math") {
            links.passage(text);
        }
    }
}

impl<F: FnMut(Meta<'_>)> Emitter for MetaEmitter<'_, F> {
    type Token = std::convert::Infallible;

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start_tag.clear();
        let tag = last_start_tag.unwrap_or_default();
        push(&mut self.last_start_tag, tag, MAX_NAME_BYTES);
    }

    fn emit_eof(&mut self) {}

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Self::Token> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        if !self.head.is_over() && !text.trim_ascii().is_empty() {
            let is_null = text
                .iter()
                .all(|byte| byte.is_ascii_whitespace() || *byte == 0);
            self.head.text(is_null);
        }
    }

    fn init_start_tag(&mut self) {
        self.init_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.init_tag(true);
    }

    fn init_comment(&mut self) {}

    fn emit_current_tag(&mut self) -> Option<State> {
        self.keep_attribute();
        if self.tag.is_end_tag {
            self.head.end(&self.tag.text);
            return None;
        }
        if self.tag.is_meta {
            self.visit_meta();
        }
        self.last_start_tag.clone_from(&self.tag.text);
        let is_html = !self.head.is_foreign();
        let tag = &self.tag;
        let state = self.head.start(&tag.text, tag.is_self_closing);
        self.count_links(is_html);
        state
    }

    fn emit_current_comment(&mut self) {}

    fn emit_current_doctype(&mut self) {}

    fn set_self_closing(&mut self) {
        self.tag.is_self_closing = true;
    }

    fn set_force_quirks(&mut self) {}

    fn push_tag_name(&mut self, name: &[u8]) {
        push(&mut self.tag.text, name, MAX_NAME_BYTES);
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn push_doctype_name(&mut self, _: &[u8]) {}

    fn init_doctype(&mut self) {}

    fn init_attribute(&mut self) {
        self.keep_attribute();
        self.tag.is_meta = !self.tag.is_end_tag && self.tag.text == b"meta";
        self.attribute.clear();
        self.value.clear();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        if self.keeps_attributes() {
            push(&mut self.attribute, name, MAX_NAME_BYTES);
        }
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.tag.is_meta || (self.keeps_attributes() && self.attribute == b"rel") {
            push(&mut self.value, value, MAX_VALUE_BYTES + 1);
        }
    }

    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.tag.is_end_tag && self.tag.text == self.last_start_tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.head.is_foreign()
    }
}
