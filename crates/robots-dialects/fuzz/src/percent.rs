//! Percent-encoded forms of rules and paths, and the path of a URL.

use robots_dialects::path::{UrlPath, path_of_url};
use robots_dialects::percent::{
    google_escape, koster_starts_with, rfc9309_normalise, rfc9309_path, rfc9309_pattern,
};

/// Normalised forms are ASCII, of bounded length, and do not change when normalised again; every
/// URL has a path, and every path starts with itself.
pub fn forms_are_stable(data: &[u8]) {
    assert!(path_of_url(data).starts_with(b"/"));
    let path = UrlPath::from_url(data);
    assert!(path.bytes().starts_with(b"/") && path.normalised().starts_with(b"/"));

    is_stable(data, |value| google_escape(value, &mut Vec::new()).to_vec());
    is_stable(data, |value| {
        rfc9309_normalise(value, &mut Vec::new()).to_vec()
    });
    is_stable(data, |value| {
        rfc9309_pattern(value, &mut Vec::new()).to_vec()
    });
    is_stable(data, |value| rfc9309_path(value, &mut Vec::new()).to_vec());
    assert!(koster_starts_with(data, data) && koster_starts_with(data, b""));
}

fn is_stable(value: &[u8], form: impl Fn(&[u8]) -> Vec<u8>) {
    let once = form(value);
    assert!(once.is_ascii() && once.len() <= 3 * value.len());
    // A percent sign that does not begin an escape may begin one once the text after it is decoded.
    if has_whole_escapes(value) {
        assert_eq!(form(&once), once, "{}", value.escape_ascii());
    }
}

/// Whether every percent sign of `value` begins an escape.
fn has_whole_escapes(value: &[u8]) -> bool {
    (0..value.len()).filter(|at| value[*at] == b'%').all(|at| {
        let digits = value.get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}
