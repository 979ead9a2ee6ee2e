//! Where the head ends: what the tree builder decides about a tag (HTML Living Standard §13.2.6).
//!
//! The head ends at the first text or tag that it cannot contain: only metadata belongs in it.
//! Clients with and without scripts see different heads, because only clients without scripts read
//! the content of a `noscript`. This module follows both. It counts nested elements instead of
//! building a tree.

use html5gum::State;

use super::meta::Place;
use crate::names::is_one_of;

/// The elements of the head, with `html` and `head` themselves ("in head", §13.2.6.4.4).
const METADATA: &str = "\
    html head base basefont bgsound link meta title noscript noframes style script template";

/// The elements that a `noscript` of the head may contain ("in head noscript", §13.2.6.4.5).
const IN_NOSCRIPT: &str = "html head basefont bgsound link meta noframes noscript style";

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

/// The start tags of HTML that end `svg` and `math` (§13.2.6.5).
const TAGS_BEHIND_FOREIGN: &str = "\
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img \
    li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";

pub(super) fn ends_foreign(tag: &[u8]) -> bool {
    is_one_of(tag, TAGS_BEHIND_FOREIGN)
}

/// The elements whose start tags rule out a frame set ("in body", §13.2.6.4.7, "frameset-ok flag").
/// An `input` of type `hidden` does not, but is treated like any other `input`.
const TAGS_BEFORE_NO_FRAMESET: &str = "\
    applet area body br button dd dt embed hr iframe image img input keygen li listing marquee \
    object pre select table textarea wbr xmp";

/// Whether the page is a frame set, which contains only frames ("in frameset", §13.2.6.4.20).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Frames {
    #[default]
    Possible,
    /// Content of the body ruled it out.
    RuledOut,
    Begun,
}

/// Most nested elements of SVG and MathML tracked: deeper ones count as part of the innermost.
const MAX_FOREIGN: usize = 256;

#[derive(Debug)]
struct ForeignElement {
    tag: Vec<u8>,
    content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// SVG, where no element contains raw text.
    Svg,
    MathMl,
    /// HTML, at an integration point (§13.2.6).
    Html,
}

#[derive(Debug, Default)]
pub(super) struct Head {
    has_ended: bool,
    has_ended_with_scripts: bool,
    /// Whether a `noscript` of the head is open for clients that run no scripts.
    in_noscript: bool,
    /// Whether a `noscript` of the head is open for clients that run scripts: to them its content
    /// is text, up to its end tag.
    is_noscript_text: bool,
    templates: u32,
    /// Whether the head's end tag was read: metadata elements after it, except `noscript`, still
    /// belong to the head ("after head", §13.2.6.4.6).
    is_closed: bool,
    /// Whether the next text is the content of an element that contains only text.
    in_raw_text: bool,
    /// Open elements of SVG and MathML that matter, the innermost last.
    foreign: Vec<ForeignElement>,
    frames: Frames,
}

impl Head {
    /// The place of a meta tag at this point; `None` if it is ignored.
    pub(super) fn place(&self) -> Option<Place> {
        Some(if self.frames == Frames::Begun {
            return None;
        } else if self.templates > 0 {
            Place::Template
        } else if !self.has_ended && self.in_noscript {
            Place::Noscript
        } else if !self.has_ended {
            Place::Head
        } else if !self.has_ended_with_scripts && !self.is_noscript_text {
            Place::HeadWithScripts
        } else {
            Place::Body
        })
    }

    /// Whether the next content is inside `svg` or `math`, and is read like XML.
    pub(super) fn is_foreign(&self) -> bool {
        self.content() != Content::Html
    }

    /// Whether the next content is not part of the page: in a `template`, or ignored.
    pub(super) fn is_left_out(&self) -> bool {
        self.templates > 0 || self.frames == Frames::Begun
    }

    /// Takes a start tag. Returns the state in which to continue, if it changes.
    pub(super) fn start(&mut self, tag: &[u8], is_self_closing: bool) -> Option<State> {
        if self.frames == Frames::Begun {
            self.in_raw_text = tag == b"noframes";
            return state_of(tag).filter(|_| self.in_raw_text);
        }
        let is_foreign = self.is_foreign();
        if self.frames == Frames::Possible
            && (!is_foreign || ends_foreign(tag))
            && is_one_of(tag, TAGS_BEFORE_NO_FRAMESET)
        {
            self.frames = Frames::RuledOut;
        }
        if is_foreign {
            self.start_in_foreign(tag, is_self_closing);
            return None;
        }
        match tag {
            b"frameset" if self.templates == 0 && self.frames == Frames::Possible => {
                self.frames = Frames::Begun;
            }
            b"svg" if !is_self_closing => self.open_foreign(tag, Content::Svg),
            b"math" if !is_self_closing => self.open_foreign(tag, Content::MathMl),
            b"template" => self.templates = self.templates.saturating_add(1),
            _ => {}
        }
        if self.templates == 0 {
            if self.in_noscript && !is_one_of(tag, IN_NOSCRIPT) {
                self.in_noscript = false;
            }
            let is_over = self.has_ended && self.has_ended_with_scripts;
            let is_left_out = self.is_closed && tag == b"noscript";
            // The list is searched only while the head may still end.
            if !is_over && (is_left_out || !is_one_of(tag, METADATA)) {
                self.has_ended = true;
                self.has_ended_with_scripts |= !self.is_noscript_text;
            }
            if tag == b"noscript" {
                self.in_noscript |= !self.has_ended;
                self.is_noscript_text |= !self.has_ended_with_scripts;
            }
        }
        let state = state_of(tag);
        self.in_raw_text = state.is_some();
        state
    }

    fn content(&self) -> Content {
        self.foreign
            .last()
            .map_or(Content::Html, |open| open.content)
    }

    fn open_foreign(&mut self, tag: &[u8], content: Content) {
        if self.foreign.len() < MAX_FOREIGN {
            let tag = tag.to_vec();
            self.foreign.push(ForeignElement { tag, content });
        }
    }

    fn start_in_foreign(&mut self, tag: &[u8], is_self_closing: bool) {
        match (tag, self.content()) {
            _ if is_self_closing => {}
            (b"svg" | b"math", content) => self.open_foreign(tag, content),
            (b"foreignobject" | b"desc" | b"title", Content::Svg)
            | (b"mi" | b"mo" | b"mn" | b"ms" | b"mtext", Content::MathMl) => {
                self.open_foreign(tag, Content::Html);
            }
            _ => {}
        }
        if ends_foreign(tag) {
            let html = self
                .foreign
                .iter()
                .rposition(|open| open.content == Content::Html);
            self.foreign.truncate(html.map_or(0, |at| at + 1));
        }
    }

    pub(super) fn end(&mut self, tag: &[u8]) {
        if tag == b"br" && self.frames == Frames::Possible {
            self.frames = Frames::RuledOut;
        }
        if std::mem::take(&mut self.in_raw_text) {
            return; // it ends the element that contains the text
        }
        if let Some(open) = self.foreign.iter().rposition(|open| open.tag == tag) {
            self.foreign.truncate(open);
        }
        match tag {
            b"template" => self.templates = self.templates.saturating_sub(1),
            b"noscript" => (self.in_noscript, self.is_noscript_text) = (false, false),
            b"head" if self.templates == 0 => self.is_closed |= !self.in_noscript,
            // Other end tags are ignored in the head.
            b"body" | b"html" | b"br" if self.templates == 0 => {
                self.in_noscript &= tag != b"br";
                self.has_ended |= !self.in_noscript;
                self.has_ended_with_scripts |= !self.is_noscript_text;
            }
            _ => {}
        }
    }

    /// Takes text that is more than white space; `is_null` if the rest of it is null characters,
    /// which the body ignores.
    pub(super) fn text(&mut self, is_null: bool) {
        if !self.in_raw_text && !is_null && self.frames == Frames::Possible {
            self.frames = Frames::RuledOut;
        }
        if self.in_raw_text || self.templates > 0 {
            return;
        }
        self.in_noscript = false;
        self.has_ended = true;
        self.has_ended_with_scripts |= !self.is_noscript_text;
    }

    /// Whether text no longer changes anything.
    pub(super) fn is_over(&self) -> bool {
        self.has_ended && self.has_ended_with_scripts && self.frames != Frames::Possible
    }
}
