//! Groups, counts and the canonical form, on short literal files.

use proptest::prelude::*;

use super::*;
use crate::line::{Line, LineHandler};
use crate::remark::RemarkKind;

fn read(body: &[u8]) -> (Document<'_>, String) {
    let mut canonical = Vec::new();
    let document = Document::read(body, 10, &mut canonical);
    (document, String::from_utf8_lossy(&canonical).into_owned())
}

fn tokens<'d>(document: &'d Document<'_>, group: usize) -> Vec<&'d str> {
    let lines = &document.user_agents[document.groups[group].user_agents.clone()];
    lines
        .iter()
        .map(|line| std::str::from_utf8(line.product_token).unwrap_or("?"))
        .collect()
}

#[test]
fn only_a_rule_before_a_user_agent_line_ends_a_group() {
    let body = b"User-agent: a\nCrawl-delay: 2\n\nSitemap: /s\nUser-agent: b\nDisallow: /x\n\
                 User-agent: c\n";
    let (document, _) = read(body);
    assert_eq!(document.groups.len(), 2);
    assert_eq!(tokens(&document, 0), ["a", "b"]);
    assert_eq!(document.groups[0].crawl_delay, Some(2.0));
    assert_eq!(tokens(&document, 1), ["c"]);
    assert!(document.groups[1].rules.is_empty());
}

#[test]
fn a_directive_holds_for_the_user_agent_lines_above_it() {
    let body =
        b"User-agent: a\n\nUser-agent: b\nCrawl-delay: 36000\n\nUser-agent: *\nSitemap: /s\n\
        Host: h\nUser-agent: c\nDisallow: /x\nNoindex: /y\nCrawl-delay: 1\nCrawl-delay: 2\n\
        User-agent: d\nCrawl-delay: 3\n";
    let (document, _) = read(body);
    let lines: Vec<_> = document
        .directives
        .iter()
        .map(|line| (line.line_number, line.group, document.user_agents_of(line)))
        .collect();
    let expected = [
        (4, Some(0), Some(0..2)),
        (8, None, None),
        (11, Some(0), Some(2..4)),
        (12, Some(0), Some(2..4)),
        (13, Some(0), Some(2..4)),
        (15, Some(1), Some(0..1)),
    ];
    assert_eq!(lines, expected);
    let delays: Vec<_> = document
        .blocks
        .iter()
        .map(|block| (block.crawl_delay, block.has_crawl_delay_conflict))
        .collect();
    let expected = [
        (Some(36_000.0), false),
        (Some(1.0), true),
        (Some(3.0), false),
    ];
    assert_eq!(delays, expected);
    let remarks: Vec<_> = document
        .remarks
        .iter()
        .map(|remark| (remark.kind, remark.line_number))
        .collect();
    assert_eq!(remarks, [(RemarkKind::DirectiveSplitsGroup, 6)]);
}

#[test]
fn a_star_before_anything_but_white_space_names_nobody() {
    let body =
        b"User-agent: *,\nUser-agent: */1.0\nUser-agent: *foo\nUser-agent: * foo\nDisallow: /\n";
    let (document, _) = read(body);
    assert_eq!(tokens(&document, 0), ["", "", "*foo", "*"]);
}

#[test]
fn rules_before_any_group_are_remarked_and_left_out() {
    let (document, canonical) = read(b"Disallow: /\nUser-agent: *\nAllow: /a");
    assert_eq!(document.counts.orphan_rules, 1);
    assert_eq!(document.counts.disallow, 1);
    assert_eq!(document.rules.len(), 1);
    assert_eq!(document.remarks[0].kind, RemarkKind::RuleOutsideGroup);
    assert_eq!(canonical, "user-agent: *\nallow: /a\n");
}

#[test]
fn tolerances_are_flagged_and_counted() {
    let (document, _) =
        read(b"useragent: *\nDissallow: /a\nDisallow /b\nAllowed: /c\ndesallow: /d\nfoo bar baz\n");
    assert_eq!(document.counts.typos, 4, "three tolerated, one not");
    assert_eq!(document.counts.missing_colons, 1);
    assert_eq!(document.counts.unknown_directives, 1);
    assert_eq!(document.counts.invalid_lines, 1);
    let flags: Vec<_> = document
        .rules
        .iter()
        .map(|rule| (rule.is_typo, rule.is_missing_colon))
        .collect();
    assert_eq!(flags, [(true, false), (false, true), (true, false)]);
    assert!(document.directives[0].is_typo);
}

#[test]
fn policies_are_without_what_does_not_change_them() {
    let (_, one) =
        read(b"# shop 1\nUser-Agent: *\nDISALLOW:/cart # no\n\nSitemap: https://1.example/s\n");
    let (_, other) =
        read(b"\xef\xbb\xbfuser-agent:*\r\ndisallow: /cart\r\nSitemap: https://2.example/s");
    assert_eq!(one, other);
    assert_eq!(one, "user-agent: *\ndisallow: /cart\n");
}

#[test]
fn a_blank_line_inside_a_group_is_part_of_the_policy() {
    let (_, split) = read(b"User-agent: a\n\nDisallow: /\n\nUser-agent: b\nDisallow: /b");
    assert_eq!(
        split,
        "user-agent: a\n\ndisallow: /\nuser-agent: b\ndisallow: /b\n"
    );
    let (_, whole) = read(b"User-agent: a\n#\nDisallow: /\n\n\nUser-agent: b\nDisallow: /b");
    assert_eq!(
        whole,
        "user-agent: a\ndisallow: /\nuser-agent: b\ndisallow: /b\n"
    );
}

#[test]
fn a_misspelling_is_part_of_the_policy() {
    assert_ne!(
        read(b"User-agent: *\nDissallow: /").1,
        read(b"User-agent: *\nDisallow: /").1
    );
    assert_ne!(
        read(b"User-agent: *\nDisallow /").1,
        read(b"User-agent: *\nDisallow: /").1
    );
}

#[test]
fn site_wide_directives_belong_to_no_group() {
    let (document, _) = read(b"User-agent: *\nDisallow: /x\nHost: a.example\nCrawl-delay: x\n");
    assert_eq!(document.directives[0].group, None);
    assert_eq!(document.directives[1].group, Some(0));
    assert_eq!(document.groups[0].crawl_delay, None, "not a number");
}

#[test]
fn paths_are_normalised() {
    let (document, _) =
        read("User-agent: *\nDisallow: /caf\u{e9}/%7efoo/%2f\nDisallow: /a%2a".as_bytes());
    assert_eq!(&*document.rules[0].path, b"/caf%C3%A9/~foo/%2F");
    assert_eq!(&*document.rules[1].path, b"/a%2A");
}

#[test]
fn numbers_are_plain_decimals() {
    assert_eq!(number(b"1.5"), Some(1.5));
    assert_eq!(number(b"-3"), Some(-3.0));
    for text in ["", "-", ".", "1e5", "inf", "NaN", "1.2.3", "10 seconds"] {
        assert_eq!(number(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn the_line_after_the_last_line_end_is_no_line() {
    assert_eq!(read(b"").0.counts.lines, 0);
    assert_eq!(read(b"a: b\n").0.counts.lines, 1);
    assert_eq!(read(b"a: b\n\n").0.counts.blank_lines, 1);
    assert_eq!(read(b"a: b\r\nc: d").0.counts.lines, 2);
}

#[test]
fn a_giant_line_over_the_limit_is_not_empty() {
    let class = |body: &[u8]| {
        let limit = crate::limit::DEFAULT_LIMIT;
        let mut canonical = Vec::new();
        let parsed = crate::limit::cut(body, limit);
        let document = Document::read(parsed, 10, &mut canonical);
        ContentClass::of_document(crate::limit::identified(body, limit), &document)
    };
    assert_eq!(class(&b"x".repeat(600_000)), ContentClass::Other);
    assert_eq!(class(&vec![0; 1 << 20]), ContentClass::Binary);
    assert_eq!(class(&b" ".repeat(600_000)), ContentClass::Empty);
    assert_eq!(
        class(b"<html>".repeat(200_000).as_slice()),
        ContentClass::Html
    );
    assert_eq!(class(b""), ContentClass::Empty);
}

/// Takes markup apart too, which the reader does without.
struct Thorough<'a, 'c>(DocumentReader<'a, 'c>);

impl<'a> LineHandler<'a> for Thorough<'a, '_> {
    fn line(&mut self, line: &Line<'a>) {
        self.0.line(line);
    }
}

proptest! {
    #[test]
    fn markup_says_the_same_whether_it_is_taken_apart_or_not(
        lines in proptest::collection::vec("[ \t]{0,9}[<.@é0A-Za-z\"#:]?(User-agent|Disallow|color|p)? ?:?[ /*<>a]{0,6}", 0..12),
    ) {
        let body = lines.join("\n");
        let mut canonical = Vec::new();
        let document = Document::read(body.as_bytes(), 10, &mut canonical);
        let mut expected = Vec::new();
        let mut thorough = Thorough(DocumentReader::new(10, MAX_REMARKS, &mut expected));
        read_lines(body.as_bytes(), &mut thorough);
        prop_assert_eq!(format!("{document:?}"), format!("{:?}", thorough.0.into_document()));
        prop_assert_eq!(canonical, expected);
    }
}
