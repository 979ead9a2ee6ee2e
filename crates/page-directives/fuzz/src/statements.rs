//! Any bytes are a page and a header field: nothing panics, the canonical form stays within its
//! limit and is read back whole, every dialect gives a verdict, and counting links finds the same
//! tags.

use page_directives::dialect::Dialect;
use page_directives::html::{decode, language, metas, metas_and_links};
use page_directives::policy::{MAX_BYTES, Policy, Writer};

/// Panics if the promise is broken. The first line of `data` is the field, the rest the page.
pub(super) fn run(data: &[u8]) {
    let (field, html) = match data.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (data, data),
    };
    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    writer.header("x-robots-tag", field);
    writer.header("robots-tag", field);
    let mut found = 0;
    let html = decode(html, None);
    metas(&html, |meta| {
        found += 1;
        writer.meta(&meta);
    });
    writer.finish();
    let mut beside_links = 0;
    let counts = metas_and_links(&html, |_| beside_links += 1);
    assert_eq!(beside_links, found);
    assert!(counts.qualified <= counts.links && counts.nosnippet_google <= counts.nosnippet);
    assert_ne!(language(&html), Some(Vec::new()));
    assert!(form.len() <= MAX_BYTES);
    let policy = Policy::new(&form);
    let lines = form.split_inclusive(|byte| *byte == b'\n').count();
    let statements = policy.statements().count();
    assert_eq!(statements + usize::from(policy.is_cut()), lines);
    assert!(statements <= found + 2);
    for statement in policy.statements() {
        statement.rules(|crawler, rule| assert!(!crawler.is_empty() && !rule.raw.is_empty()));
    }
    for dialect in Dialect::ALL {
        let verdicts = dialect.judge(policy);
        assert_eq!(verdicts[0].0, b"*");
        // A rule for one crawler does not lift a ban for all crawlers.
        for (_, verdict) in &verdicts[1..] {
            assert!(verdicts[0].1.may_index != Some(false) || verdict.may_index == Some(false));
        }
    }
}
