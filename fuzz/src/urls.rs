//! URLs taken apart, and the percent-encoded forms that are compared.

use robostat::url_parts::scope::Scope;
use robostat::url_parts::{UrlParts, absolute};
use robots_dialects::path::{UrlPath, path_of_url};
use robots_dialects::percent::{
    google_escape, koster_starts_with, rfc9309_normalise, rfc9309_path, rfc9309_pattern,
};

use super::first_line;

/// A URL made of the parts of a URL has the same parts; its path is one; normalised forms are ASCII,
/// of bounded length, and stay as they are.
///
/// The data's first line is a URL, the rest a reference relative to it.
pub fn parts_and_percent_forms_are_stable(data: &[u8]) {
    let (url, location) = first_line(data);
    let (text, location) = (
        String::from_utf8_lossy(url),
        String::from_utf8_lossy(location),
    );
    if let Some(parts) = UrlParts::parse(&text) {
        if let (Some(host), "http" | "https") = (parts.host_name(), parts.protocol()) {
            assert!(parts.path().starts_with('/'));
            let port = parts
                .port()
                .map_or(String::new(), |port| format!(":{port}"));
            let query = parts
                .query()
                .map_or(String::new(), |query| format!("?{query}"));
            let joined = format!("{}://{host}{port}{}{query}", parts.protocol(), parts.path());
            let again = UrlParts::parse(&joined).expect("a URL of parts of a URL");
            assert_eq!(parts, again, "{joined:?}");
            assert!(parts.is_same_host(&again));
            if let Some(domain) = parts.registered_domain() {
                assert!(host.ends_with(domain));
                assert!(parts.tld().is_some_and(|tld| domain.ends_with(tld)));
            }
        }
        if let Some(target) = absolute(&text, &location) {
            assert!(UrlParts::parse(&target).is_some(), "{target:?}");
            assert!(!target.contains('#'));
        }
    }
    assert!(path_of_url(url).starts_with(b"/"));
    let path = UrlPath::of_url(url);
    assert!(path.bytes().starts_with(b"/") && path.normalised().starts_with(b"/"));
    if let Some(scope) = Scope::of_robots_txt(&text) {
        assert!(scope.covers(&text));
    }

    is_stable(url, |value| google_escape(value, &mut Vec::new()).to_vec());
    is_stable(url, |value| {
        rfc9309_normalise(value, &mut Vec::new()).to_vec()
    });
    is_stable(url, |value| {
        rfc9309_pattern(value, &mut Vec::new()).to_vec()
    });
    is_stable(url, |value| rfc9309_path(value, &mut Vec::new()).to_vec());
    assert!(koster_starts_with(url, url) && koster_starts_with(url, b""));
}

fn is_stable(value: &[u8], form: impl Fn(&[u8]) -> Vec<u8>) {
    let once = form(value);
    assert!(once.is_ascii() && once.len() <= 3 * value.len());
    // A sign that begins no escape may begin one once what follows it has been decoded.
    if has_whole_escapes(value) {
        assert_eq!(form(&once), once, "{}", value.escape_ascii());
    }
}

/// Whether every percent sign of `value` begins an escape that stands for no percent sign.
fn has_whole_escapes(value: &[u8]) -> bool {
    (0..value.len()).filter(|at| value[*at] == b'%').all(|at| {
        let digits = value.get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}
