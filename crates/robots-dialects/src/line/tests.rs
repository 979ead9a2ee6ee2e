use super::*;

fn lines<'a>(body: &'a [u8]) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    read_lines(body, &mut |line: &Line<'a>| lines.push(*line));
    lines
}

fn kinds(body: &[u8]) -> Vec<LineKind> {
    lines(body).iter().map(|line| line.kind).collect()
}

fn only(body: &[u8]) -> Line<'_> {
    let all = lines(body);
    assert_eq!(all.len(), 1, "{body:?}");
    all[0]
}

#[test]
fn an_empty_body_is_one_empty_line() {
    let line = only(b"");
    assert_eq!(line.kind, LineKind::Empty);
    assert!(line.is_final_empty);
    assert_eq!(line.number, 1);
    assert_eq!(line.ending, LineEnding::None);
}

#[test]
fn line_endings_mix_freely() {
    let endings: Vec<_> = lines(b"a:1\nb:2\r\nc:3\rd:4")
        .iter()
        .map(|line| (line.number, line.key, line.ending))
        .collect();
    let expected: [(u32, &[u8], LineEnding); 4] = [
        (1, b"a", LineEnding::Lf),
        (2, b"b", LineEnding::Crlf),
        (3, b"c", LineEnding::Cr),
        (4, b"d", LineEnding::None),
    ];
    assert_eq!(endings, expected);
}

#[test]
fn lfcr_and_crcrlf_make_an_extra_line() {
    assert_eq!(lines(b"a:1\n\rb:2").len(), 3);
    assert_eq!(lines(b"a:1\r\r\nb:2").len(), 3);
    assert_eq!(lines(b"a:1\r\n\r\nb:2").len(), 3);
}

#[test]
fn final_line_ending_leaves_a_final_empty_line() {
    let all = lines(b"allow: /\n");
    assert_eq!(all.len(), 2);
    assert!(!all[0].is_final_empty && all[1].is_final_empty);
    assert!(!lines(b"a:1\n ")[1].is_final_empty);
}

#[test]
fn prefixes_of_a_byte_order_mark_are_swallowed_once() {
    for mark in [&b"\xEF"[..], b"\xEF\xBB", b"\xEF\xBB\xBF"] {
        let body = [mark, b"allow: /"].concat();
        assert_eq!(kinds(&body), [LineKind::Allow]);
    }
    assert_eq!(
        kinds(b"\xEF\xBB\xBF\xEF\xBB\xBFallow: /"),
        [LineKind::Other]
    );
    assert_eq!(kinds(b"\xEF\xBF\xBBallow: /"), [LineKind::Other]);
}

#[test]
fn nul_cuts_its_line() {
    let line = only(b"disallow: /a\0b # c");
    assert_eq!(line.value, b"/a");
    assert!(line.has_nul && !line.has_comment);
    assert_eq!(line.text, b"disallow: /a\0b # c");
    assert_eq!(kinds(b"\0allow: /"), [LineKind::Empty]);
    // UTF-16 without a byte order mark: a letter, then NUL.
    assert_eq!(kinds(b"U\0s\0e\0r\0"), [LineKind::Invalid]);
}

#[test]
fn a_comment_is_found_before_the_colon() {
    assert_eq!(only(b"allow # : /").kind, LineKind::Invalid);
    assert_eq!(only(b" # allow: /").kind, LineKind::Comment);
    let line = only(b"allow: /a#b");
    assert_eq!((line.value, line.has_comment), (&b"/a"[..], true));
    let all = lines(b"#\nallow: /\n# x # y\nallow: / # z");
    let comments: Vec<_> = all.iter().map(|line| line.has_comment).collect();
    assert_eq!(comments, [true, false, true, true]);
}

#[test]
fn white_space_separates_exactly_two_words() {
    let line = only(b"Disallow /x");
    assert_eq!((line.kind, line.value), (LineKind::Disallow, &b"/x"[..]));
    assert!(line.is_missing_colon && !line.is_strict());
    assert_eq!(only(b"Disallow \t /x").value, b"/x");
    assert_eq!(only(b"user agent foo").kind, LineKind::Invalid);
    assert_eq!(only(b"Disallow /x y").kind, LineKind::Invalid);
    // VT is stripped but separates nothing.
    assert_eq!(only(b"Disallow\x0B/x").kind, LineKind::Invalid);
    let line = only(b"Disallow /a:b");
    assert_eq!((line.kind, line.value), (LineKind::Disallow, &b"b"[..]));
    assert_eq!(line.key, b"Disallow /a");
    assert!(!line.is_exact_key());
}

#[test]
fn a_colon_without_a_key_is_invalid() {
    assert_eq!(
        kinds(b":\n : /x\n"),
        [LineKind::Invalid, LineKind::Invalid, LineKind::Empty]
    );
}

#[test]
fn ascii_white_space_is_stripped_and_nothing_else() {
    let line = only(b"\x0B allow\x0C: \t/a\x0B");
    assert_eq!((line.key, line.value), (&b"allow"[..], &b"/a"[..]));
    assert_eq!(only(b"allow: /a\xC2\xA0").value, b"/a\xC2\xA0");
    // NEL ends no line.
    assert_eq!(lines(b"allow: /a\xC2\x85b").len(), 1);
}

#[test]
fn bytes_past_the_line_limit_are_dropped() {
    let mut body = b"disallow: /".to_vec();
    body.resize(MAX_LINE_BYTES, b'a');
    assert!(!only(&body).is_too_long);
    body.extend_from_slice(b"b#c");
    let line = only(&body);
    assert!(line.is_too_long && !line.has_comment);
    assert_eq!(line.value.len(), MAX_LINE_BYTES - "disallow: ".len());
    assert_eq!(line.text.len(), body.len());
    // Leading white space counts.
    let mut body = vec![b' '; MAX_LINE_BYTES];
    body.extend_from_slice(b"disallow: /");
    assert_eq!(only(&body).kind, LineKind::Empty);
}
