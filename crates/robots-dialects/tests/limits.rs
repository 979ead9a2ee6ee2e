//! How much of a file and of a line is read: cases that are too long for a page.

use robots_dialects::Robots;
use robots_dialects::access::Response;
use robots_dialects::content::ContentClass;
use robots_dialects::dialect::Dialect;
use robots_dialects::document::Document;
use robots_dialects::limit::{DEFAULT_LIMIT, cut, identified};
use robots_dialects::line::{Line, LineKind, MAX_LINE_BYTES, read_lines};
use robots_dialects::path::UrlPath;
use robots_dialects::remark::RemarkKind;

const ALLOWED: bool = true;
const BLOCKED: bool = false;

fn allows(dialect: Dialect, body: &[u8], agent: &str, url: &str) -> bool {
    dialect
        .compile(cut(body, DEFAULT_LIMIT))
        .verdict(agent.as_bytes(), &UrlPath::from_url(url.as_bytes()))
        .allowed
}

/// A file of `length` bytes that ends with `rule`.
fn file_of(length: usize, rule: &str) -> Vec<u8> {
    let start = "User-agent: *\n#";
    let fill = length - start.len() - rule.len() - 1;
    format!("{start}{}\n{rule}", "x".repeat(fill)).into_bytes()
}

/// rep2019 and rfc9309 §2.5: at least 500 kibibytes are parsed.
#[test]
fn rules_within_the_limit_count() {
    for dialect in Dialect::ALL {
        let body = file_of(512_000, "Disallow: /x\n");
        assert_eq!(body.len(), 512_000);
        assert_eq!(allows(dialect, &body, "a", "/x"), BLOCKED, "{dialect}");
    }
}

/// google "File format": 500 kibibytes are parsed, what follows is ignored.
#[test]
fn rules_behind_the_limit_do_not_count() {
    for dialect in Dialect::ALL {
        let mut body = file_of(512_000, "Disallow: /x\n");
        body.extend_from_slice(b"Disallow: /y\n");
        assert_eq!(allows(dialect, &body, "a", "/x"), BLOCKED, "{dialect}");
        assert_eq!(allows(dialect, &body, "a", "/y"), ALLOWED, "{dialect}");
    }
}

/// rfc9309 §2.5: a limit within a line does not invent a rule (ours: the line is left out).
#[test]
fn a_cut_line_is_no_rule() {
    for dialect in Dialect::ALL {
        // The limit is after the slash.
        let body = file_of(512_000 + "private\n".len(), "Disallow: /private\n");
        assert_eq!(body[511_999], b'/');
        assert_eq!(allows(dialect, &body, "a", "/"), ALLOWED, "{dialect}");
        assert_eq!(
            allows(dialect, &body, "a", "/private"),
            ALLOWED,
            "{dialect}"
        );
    }
}

/// google robots.cc: 16,663 bytes of a line are read, the rest of the line is not.
#[test]
fn long_lines_are_cut() {
    let key = "Disallow: ";
    let kept = format!("/{}", "x".repeat(16_663 - key.len() - 1));
    let body = format!("User-agent: *\n{key}{kept}yyy\nDisallow: /z\n");
    let google = |path: &str| allows(Dialect::Google, body.as_bytes(), "a", path);
    assert_eq!(google(&kept), BLOCKED);
    assert_eq!(google(&format!("{kept}w")), BLOCKED);
    assert_eq!(google(&kept[..kept.len() - 1]), ALLOWED);
    assert_eq!(google("/z"), BLOCKED);
    // With one byte less, the `$` after it is read too.
    let shorter = &kept[..kept.len() - 1];
    let body = format!("User-agent: *\n{key}{shorter}$y\n");
    assert_eq!(
        allows(Dialect::Google, body.as_bytes(), "a", shorter),
        BLOCKED
    );
    assert_eq!(
        allows(Dialect::Google, body.as_bytes(), "a", &kept),
        ALLOWED
    );
}

#[test]
fn bytes_past_the_line_limit() {
    let check = |body: &[u8], check: &dyn Fn(&Line<'_>)| {
        let mut n_lines = 0;
        read_lines(body, |line: &Line<'_>| {
            check(line);
            n_lines += 1;
        });
        assert_eq!(n_lines, 1);
    };
    let mut body = b"disallow: /".to_vec();
    body.resize(MAX_LINE_BYTES, b'a');
    check(&body, &|line| assert!(!line.is_too_long));
    body.extend_from_slice(b"b#c");
    check(&body, &|line| {
        assert!(line.is_too_long && !line.has_comment);
        assert_eq!(line.value.len(), MAX_LINE_BYTES - "disallow: ".len());
        assert_eq!(line.text.len(), body.len());
    });
    // Leading white space counts.
    let mut body = vec![b' '; MAX_LINE_BYTES];
    body.extend_from_slice(b"disallow: /");
    check(&body, &|line| assert_eq!(line.kind, LineKind::Empty));
}

#[test]
fn the_remark_names_the_line_limit() {
    let mut digits = RemarkKind::LineTooLong.meaning().to_owned();
    digits.retain(|it| it.is_ascii_digit());
    assert_eq!(digits, MAX_LINE_BYTES.to_string());
}

#[test]
fn canonical_form_of_a_line_at_the_limit() {
    let canonical = |body: &[u8]| Document::read(body, 0).canonical_form();
    let mut body = b"user-agent:*\ndisallow:/".to_vec();
    body.resize(b"user-agent:*\n".len() + MAX_LINE_BYTES, b'x');
    let once = canonical(&body);
    assert_eq!(once.len(), b"user-agent: *\n".len() + MAX_LINE_BYTES + 1);
    assert_eq!(canonical(&once), once);
}

#[test]
fn a_giant_line_is_not_empty() {
    let class = |body: &[u8]| {
        let document = Document::read(cut(body, DEFAULT_LIMIT), 10);
        ContentClass::of_document(identified(body, DEFAULT_LIMIT), &document)
    };
    assert_eq!(class(&b"x".repeat(600_000)), ContentClass::Other);
    assert_eq!(class(&vec![0; 1 << 20]), ContentClass::Binary);
    assert_eq!(class(&b" ".repeat(600_000)), ContentClass::Empty);
    assert_eq!(class(&b"<html>".repeat(200_000)), ContentClass::Html);
    assert_eq!(class(b""), ContentClass::Empty);
}

#[test]
fn robots_cuts_a_body() {
    let mut body = vec![b'#'; DEFAULT_LIMIT - 20];
    body.extend_from_slice(b"\nUser-agent: *\nDisallow: /a\n");
    assert_eq!(Robots::new(&body).body().last(), Some(&b'\n'));
    assert!(Robots::new(&body).allowed("x", "/a"));
    let whole = Robots::read(&body, Dialect::Rfc9309, Response::Status(200));
    assert!(!whole.allowed("x", "/a"));
}
