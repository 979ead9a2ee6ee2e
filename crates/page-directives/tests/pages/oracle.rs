//! The prescan does not miss tags that the tokenizer finds.

use html5gum::{DefaultEmitter, Tokenizer};
use proptest::prelude::*;

use page_directives::html::{Candidates, candidates, metas};
use page_directives::names::{Attribute, addresses_robots};

/// Contents of all tags that address robots, read from the whole page with html5gum's own emitter.
fn by_html5gum(html: &[u8]) -> Vec<Vec<u8>> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let tokens = Tokenizer::new_with_emitter(html, emitter);
    let mut found = Vec::new();
    for Ok(token) in tokens {
        if let html5gum::Token::StartTag(tag) = token
            && tag.name.0 == b"meta"
        {
            let value = |name: &[u8]| tag.attributes.get(name).map(|value| value.0.clone());
            let name = value(b"name").unwrap_or_default();
            if addresses_robots(Attribute::Name, &name) {
                found.extend(value(b"content"));
            }
        }
    }
    found
}

/// Pieces of pages, including pieces that break their syntax.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let pieces = "<meta|<META|<mEta| |\n|/|>|\"|'|=|name|NAME|content|robots|googlebot|name=robots|\
                  content=noindex| name=robots content=a>|&#114;|&amp;|<!--|-->|<script>|</script>|\
                  <title>|</title>|<style>|</style>|<p>|text|\0|\r|é|<|</|<!|<?|\x0c|<a title=|\
                  <meta name='robots' content='b'>";
    let piece = prop::sample::select(pieces.split('|').collect::<Vec<_>>());
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn nothing_is_missed(html in pieces()) {
        let mut found = Vec::new();
        metas(&html, |meta| found.push(meta.content.to_vec()));
        let expected = by_html5gum(&html);
        prop_assert_eq!(&found, &expected, "{}", String::from_utf8_lossy(&html));
        if expected.is_empty() {
            return Ok(());
        }
        prop_assert_ne!(candidates(&html), Candidates::None);
    }

    #[test]
    fn any_bytes_are_a_page(html in prop::collection::vec(any::<u8>(), 0..300)) {
        metas(&html, |_| {});
    }
}
