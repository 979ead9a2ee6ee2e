//! Pages of any size take linear time, and limits bound the memory for them. Also tests encodings.

use page_directives::html::{Candidates, MAX_VALUE_BYTES, candidates, decode, language, metas};
use page_directives::policy::{MAX_BYTES, Policy};
use page_directives::rule::read;

use crate::cases::{ROBOTS, form};

#[test]
fn encodings_that_hide_ascii() {
    let html = "\u{feff}<meta name=robots content=noindex>";
    let utf16: Vec<u8> = html.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut count = 0;
    metas(&decode(&utf16, None), |meta| {
        assert_eq!(meta.content, b"noindex");
        count += 1;
    });
    metas(&decode(&utf16[2..], Some(b"UTF-16LE")), |_| count += 1);
    metas(&decode(html.as_bytes(), None), |meta| {
        assert_eq!(meta.place.name(), "head");
        count += 1;
    });
    assert_eq!(count, 3);
}

#[test]
fn size_is_no_matter() {
    let lengths = |html: &str| {
        let mut lengths = Vec::new();
        metas(html.as_bytes(), |meta| lengths.push(meta.content.len()));
        lengths
    };
    assert_eq!(lengths(&ROBOTS.repeat(60_000)).len(), 60_000);
    let open = "<meta name=robots content=noindex ".repeat(60_000);
    assert_eq!(lengths(&open), []);
    assert_eq!(candidates(open.as_bytes()), Candidates::Unknown);
    let long = "x".repeat(1 << 20);
    let tag = format!("<meta name=robots content='{long}'>");
    assert_eq!(lengths(&tag), [MAX_VALUE_BYTES + 1]);
    let nested = "<svg><template>".repeat(60_000);
    assert_eq!(lengths(&format!("{nested}{ROBOTS}")).len(), 1);
    let html = format!("<html lang={long}>");
    assert_eq!(language(html.as_bytes()).expect("a language").len(), 64);
}

#[test]
fn forms_have_a_limit_and_say_so() {
    let long = "a".repeat(MAX_VALUE_BYTES);
    let exact = form(&format!("<meta name=robots content={long}>"));
    assert!(exact.ends_with(b"a\n") && !Policy::new(&exact).is_cut());
    let cut = form(&format!(
        "<meta name=robots content=noindex,{long}>{ROBOTS}"
    ));
    assert_eq!(cut, b"meta head robots: noindex\ncut\n");
    assert!(Policy::new(&cut).is_cut());
    let many = form(&ROBOTS.repeat(100_000));
    assert!(many.len() <= MAX_BYTES && many.ends_with(b"\ncut\n"));
    let statements = Policy::new(&many).statements().count();
    assert_eq!(statements, (MAX_BYTES - 4) / 26);
}

/// The beginning of a rule could be another rule.
#[test]
fn limits_never_invent_a_rule() {
    let rules = |value: &[u8]| {
        let mut rules = Vec::new();
        read(value, |rule| rules.push((rule.name, rule.value)));
        rules
    };
    let date = "unavailable_after: Jun 25, 2010, 15:00";
    for rule in ["nonesuch", "noindexed-by-x", "max-snippet:160", date] {
        for (filler, separator) in [("a", ","), ("a", "; "), (" ", ",  ")] {
            for length in 1..60 {
                let start = filler.repeat(MAX_VALUE_BYTES - 2 - length);
                let value = format!("b,{start}{separator}{rule}{separator}{start}");
                let all = rules(value.as_bytes());
                let tag = format!("<meta name=robots content='{value}'>");
                for form in [form(&tag), form(&format!("X-Robots-Tag: {value}"))] {
                    let policy = Policy::new(&form);
                    let kept = rules(policy.statements().next().expect("one").value);
                    assert!(
                        policy.is_cut() && all.starts_with(&kept),
                        "{rule} at {length}"
                    );
                }
            }
        }
    }
    let one = "a".repeat(MAX_VALUE_BYTES + 1);
    assert_eq!(form(&format!("X-Robots-Tag: {one}")), b"cut\n");
}
