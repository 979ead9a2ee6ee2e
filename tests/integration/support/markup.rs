//! A strict check of the report's HTML: anything that browsers would repair is an error.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// Elements without an end.
const VOID: [&str; 2] = ["meta", "br"];

/// Fails unless every element is closed in order, every attribute quoted, every id used once, every
/// character reference known, and text free of `<` and `>`.
#[track_caller]
pub(crate) fn check(page: &str) {
    let rest = page
        .strip_prefix("<!DOCTYPE html>\n")
        .expect("a document type");
    // A style sheet and a script are not text; the page has one of each.
    let rest = without(&without(rest, "style"), "script");
    let mut open: Vec<String> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let mut at = rest.as_str();
    while let Some((text, from_tag)) = at.split_once('<') {
        check_text(text);
        let (tag, after) = from_tag.split_once('>').expect("the end of a tag");
        assert!(!tag.contains('<'), "< in <{tag}>");
        at = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "after {open:?}");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let name = name.trim_end_matches('/');
        assert!(
            name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            "<{tag}>"
        );
        let is_closed = tag.ends_with('/');
        let mut rest = attributes.trim_end_matches('/').trim();
        while !rest.is_empty() {
            let (attribute, value) = rest.split_once("=\"").unwrap_or_else(|| panic!("<{tag}>"));
            let (value, after) = value.split_once('"').unwrap_or_else(|| panic!("<{tag}>"));
            check_text(value);
            assert!(!attribute.starts_with("on"), "<{tag}>");
            if attribute == "id" {
                assert!(!ids.iter().any(|id| id == value), "{value} twice");
                ids.push(value.to_owned());
            }
            rest = after.trim_start();
        }
        if !is_closed && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    check_text(at);
    assert_eq!(open, Vec::<String>::new(), "never closed");
}

/// The page without its one element of that name.
#[track_caller]
fn without(page: &str, element: &str) -> String {
    let (before, after) = page
        .split_once(&format!("<{element}>"))
        .expect("an element");
    let (_, after) = after.split_once(&format!("</{element}>")).expect("its end");
    format!("{before}{after}")
}

/// The page without style and script: what is shown.
#[track_caller]
pub(crate) fn shown(page: &str) -> String {
    without(&without(page, "style"), "script")
}

#[track_caller]
fn check_text(text: &str) {
    assert!(!text.contains('>'), "> in {text:?}");
    let is_obeyed = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_obeyed), "{text:?}");
    for reference in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "apos;", "#39;"];
        assert!(
            known.iter().any(|name| reference.starts_with(name)),
            "&{reference}"
        );
    }
}

/// The texts between `<` and `>`.
pub(crate) fn tags(page: &str) -> Vec<&str> {
    let tags = page.split('<').skip(1);
    tags.filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag))
        .collect()
}

/// Text as it is read.
pub(crate) fn unescape(text: &str) -> String {
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    let text = text.replace("&#39;", "'").replace("&apos;", "'");
    text.replace("&amp;", "&")
}

/// The articles of a page.
pub(crate) fn articles(page: &str) -> Vec<&str> {
    let articles = page.split("<article ").skip(1);
    articles
        .filter_map(|rest| rest.split("</article>").next())
        .collect()
}

/// The lines of the CSV that an article links to; fields with line endings are not split.
pub(crate) fn csv(article: &str) -> Vec<String> {
    let link = article.split_once(";base64,").expect("a CSV").1;
    let bytes = BASE64_STANDARD
        .decode(link.split('"').next().expect("its end"))
        .expect("base64");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let mut lines: Vec<String> = Vec::new();
    let mut is_quoted = false;
    for line in text.lines() {
        match lines.last_mut() {
            Some(last) if is_quoted => {
                last.push('\n');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
        is_quoted ^= line.matches('"').count() % 2 == 1;
    }
    lines
}
