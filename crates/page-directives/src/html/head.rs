//! Where the head ends: what the tree builder decides of a tag (HTML Living Standard §13.2.6).
//!
//! The head ends at the first thing that cannot stand in it: text, or a tag that is not of metadata.
//! Who runs scripts and who runs none see different heads, because only the latter reads what is in a
//! `noscript`; both are followed. No tree is built: what nests is counted.

use html5gum::State;

use super::Place;

/// The elements of the head, with `html` and `head` themselves ("in head", §13.2.6.4.4).
fn is_metadata(tag: &[u8]) -> bool {
    matches!(
        tag,
        b"html"
            | b"head"
            | b"base"
            | b"basefont"
            | b"bgsound"
            | b"link"
            | b"meta"
            | b"title"
            | b"noscript"
            | b"noframes"
            | b"style"
            | b"script"
            | b"template"
    )
}

/// What may stand in a `noscript` of the head ("in head noscript", §13.2.6.4.5).
fn may_be_in_noscript(tag: &[u8]) -> bool {
    matches!(
        tag,
        b"html"
            | b"head"
            | b"basefont"
            | b"bgsound"
            | b"link"
            | b"meta"
            | b"noframes"
            | b"noscript"
            | b"style"
    )
}

/// The state in which the tokenizer reads the content of an element (§13.2.6.2).
fn state_of(tag: &[u8]) -> Option<State> {
    Some(match tag {
        b"title" | b"textarea" => State::RcData,
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => State::RawText,
        b"script" => State::ScriptData,
        b"plaintext" => State::PlainText,
        _ => return None,
    })
}

/// Follows the tags of a page.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "two views of a page, with and without scripts"
)]
pub(super) struct Head {
    /// Whether it has ended for who runs no scripts.
    has_ended: bool,
    /// Whether it has ended for who runs scripts.
    has_ended_with_scripts: bool,
    /// Whether a `noscript` of the head is open for who runs no scripts.
    in_noscript: bool,
    /// Whether one is open for who runs scripts: its content is text to them, up to its end tag.
    is_noscript_text: bool,
    templates: u32,
    /// Whether the text that follows is the content of an element that holds nothing else.
    in_raw_text: bool,
    /// Open `svg` and `math` elements, where no element holds raw text; and HTML within these.
    foreign: u32,
    html_in_foreign: u32,
}

impl Head {
    /// Where a meta tag stands that comes now.
    pub(super) fn place(&self) -> Place {
        if self.templates > 0 {
            Place::Template
        } else if !self.has_ended && self.in_noscript {
            Place::Noscript
        } else if !self.has_ended {
            Place::Head
        } else if !self.has_ended_with_scripts && !self.is_noscript_text {
            Place::HeadWithScripts
        } else {
            Place::Body
        }
    }

    /// Whether what comes next is read as XML is, within `svg` or `math`.
    pub(super) fn is_foreign(&self) -> bool {
        self.foreign > 0 && self.html_in_foreign == 0
    }

    /// Takes a start tag; the state in which to read on, where that changes.
    pub(super) fn start(&mut self, tag: &[u8], is_self_closing: bool) -> Option<State> {
        if self.is_foreign() {
            self.start_in_foreign(tag, is_self_closing);
            return None;
        }
        match tag {
            b"svg" | b"math" if !is_self_closing => self.foreign = self.foreign.saturating_add(1),
            b"template" => self.templates = self.templates.saturating_add(1),
            _ => {}
        }
        if self.templates == 0 {
            if self.in_noscript && !may_be_in_noscript(tag) {
                self.in_noscript = false;
            }
            self.has_ended |= !is_metadata(tag);
            self.has_ended_with_scripts |= !is_metadata(tag) && !self.is_noscript_text;
            if tag == b"noscript" {
                self.in_noscript |= !self.has_ended;
                self.is_noscript_text |= !self.has_ended_with_scripts;
            }
        }
        let state = state_of(tag);
        self.in_raw_text = state.is_some();
        state
    }

    /// A start tag within `svg` or `math`. Some tags of HTML end these (§13.2.6.5).
    fn start_in_foreign(&mut self, tag: &[u8], is_self_closing: bool) {
        match tag {
            b"svg" | b"math" if !is_self_closing => self.foreign = self.foreign.saturating_add(1),
            b"foreignobject" | b"desc" | b"title" | b"annotation-xml" | b"mi" | b"mo" | b"mn"
            | b"ms" | b"mtext"
                if !is_self_closing =>
            {
                self.html_in_foreign = 1;
            }
            b"b" | b"big" | b"blockquote" | b"body" | b"br" | b"center" | b"code" | b"dd"
            | b"div" | b"dl" | b"dt" | b"em" | b"embed" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5"
            | b"h6" | b"head" | b"hr" | b"i" | b"img" | b"li" | b"listing" | b"menu" | b"meta"
            | b"nobr" | b"ol" | b"p" | b"pre" | b"ruby" | b"s" | b"small" | b"span" | b"strong"
            | b"strike" | b"sub" | b"sup" | b"table" | b"tt" | b"u" | b"ul" | b"var" => {
                self.foreign = 0;
            }
            _ => {}
        }
    }

    /// Takes an end tag.
    pub(super) fn end(&mut self, tag: &[u8]) {
        self.in_raw_text = false;
        match tag {
            b"svg" | b"math" => {
                self.foreign = self.foreign.saturating_sub(1);
                self.html_in_foreign = 0;
            }
            b"foreignobject" | b"desc" | b"title" | b"annotation-xml" | b"mi" | b"mo" | b"mn"
            | b"ms" | b"mtext" => self.html_in_foreign = 0,
            b"template" => self.templates = self.templates.saturating_sub(1),
            b"noscript" => (self.in_noscript, self.is_noscript_text) = (false, false),
            // Any other is ignored in the head.
            b"body" | b"html" | b"br" if self.templates == 0 => {
                self.in_noscript &= tag != b"br";
                self.has_ended |= !self.in_noscript;
                self.has_ended_with_scripts |= !self.is_noscript_text;
            }
            _ => {}
        }
    }

    /// Takes text that is more than white space.
    pub(super) fn text(&mut self) {
        if self.in_raw_text || self.templates > 0 {
            return;
        }
        self.in_noscript = false;
        self.has_ended = true;
        self.has_ended_with_scripts |= !self.is_noscript_text;
    }

    /// Whether text changes nothing any more.
    pub(super) fn is_over(&self) -> bool {
        self.has_ended && self.has_ended_with_scripts
    }
}
