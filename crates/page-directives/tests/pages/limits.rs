//! Pages of any size take linear time, and limits bound the memory for them. Also tests encodings.

use page_directives::html::{Candidates, MAX_VALUE_BYTES, candidates, decode, language, metas};
use page_directives::policy::{MAX_BYTES, Policy};

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
    let cut = form(&format!("<meta name=robots content={long}a>{ROBOTS}"));
    assert_eq!(cut, [&exact[..], b"cut\n"].concat());
    assert!(Policy::new(&cut).is_cut());
    let many = form(&ROBOTS.repeat(100_000));
    assert!(many.len() <= MAX_BYTES && many.ends_with(b"\ncut\n"));
    let statements = Policy::new(&many).statements().count();
    assert_eq!(statements, (MAX_BYTES - 4) / 26);
}
