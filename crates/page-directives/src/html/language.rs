//! The language that a page declares: the attribute `lang` of its `html` element (HTML Living
//! Standard §3.2.6.2).

use html5gum::{DefaultEmitter, Token, Tokenizer};

use super::prescan::end_of_last_html_tag;

/// Bytes of a language tag that are kept; RFC 5646 §4.4.1 recommends at least 35.
const MAX_BYTES: usize = 64;

/// The language of a page, as written: `lang` of its `html` tag, else `xml:lang` (which XHTML has).
/// `None` if the page has neither, or if the value is empty, which means an unknown language.
///
/// A later `html` tag adds attributes that the first lacks (HTML Living Standard §13.2.6.4.7). The
/// page is read up to the first `html` tag with `lang`, which is nearly always its first tag.
///
/// ```
/// use page_directives::html::language;
///
/// let html = b"<!doctype html><!--[if IE]><html lang=en><![endif]--><HTML Lang='pt-BR'><p lang=fr>";
/// assert_eq!(language(html).as_deref(), Some(&b"pt-BR"[..]));
/// assert_eq!(language(b"<p lang=fr>"), None);
/// ```
#[must_use]
pub fn language(html: &[u8]) -> Option<Vec<u8>> {
    let html = &html[..end_of_last_html_tag(html)?];
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let mut templates = 0_u32;
    let mut other = None;
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) if &**tag.name == b"template" => templates += 1,
            Token::EndTag(tag) if &**tag.name == b"template" => {
                templates = templates.saturating_sub(1);
            }
            Token::StartTag(mut tag) if &**tag.name == b"html" && templates == 0 => {
                let mut value = |name: &[u8]| tag.attributes.remove(name).map(|it| it.value.0);
                if let Some(language) = value(b"lang") {
                    return kept(language);
                }
                other = other.or_else(|| value(b"xml:lang"));
            }
            _ => {}
        }
    }
    other.and_then(kept)
}

fn kept(mut language: Vec<u8>) -> Option<Vec<u8>> {
    language.truncate(MAX_BYTES);
    let language = language.trim_ascii();
    (!language.is_empty()).then(|| language.to_vec())
}
