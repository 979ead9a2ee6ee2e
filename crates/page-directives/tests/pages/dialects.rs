//! Verdicts, by the clauses and examples of each source, in our own words.

use page_directives::dialect::{AiUse, Dialect, Verdict};
use page_directives::html::metas;
use page_directives::policy::{Policy, Writer};
use page_directives::rule::ImagePreview;

/// What `dialect` says to `crawler`, or to all where it does not name that one.
fn verdict(dialect: Dialect, page: &[&str], crawler: &str) -> Verdict {
    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    for line in page {
        if line.starts_with('<') {
            metas(line.as_bytes(), |meta| writer.meta(&meta));
        } else {
            let (name, value) = line.split_once(": ").expect("a header field");
            writer.header(&name.to_ascii_lowercase(), value.as_bytes());
        }
    }
    writer.finish();
    let verdicts = dialect.judge(Policy::new(&form));
    let own = verdicts
        .iter()
        .find(|(name, _)| name == crawler.as_bytes())
        .unwrap_or(&verdicts[0]);
    own.1
}

/// Index and follow.
fn two(dialect: Dialect, page: &[&str], crawler: &str) -> (Option<bool>, Option<bool>) {
    let verdict = verdict(dialect, page, crawler);
    (verdict.may_index, verdict.may_follow)
}

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);
/// No restriction.
const ALL: (Option<bool>, Option<bool>, Option<bool>) = (YES, YES, YES);

#[test]
fn html4_words_and_contradictions() {
    for (content, expected) in [
        ("", (YES, YES)),
        ("INDEX, FOLLOW", (YES, YES)),
        ("NOINDEX,NOFOLLOW", (NO, NO)),
        ("noindex", (NO, YES)),
        ("NoFollow", (YES, NO)),
        ("ALL", (YES, YES)),
        ("NONE", (NO, NO)),
        ("INDEX, NOINDEX, NOFOLLOW", (None, NO)),
        ("ALL, NONE", (None, None)),
        ("NOINDEX, NONE", (NO, NO)),
        ("noindex nofollow", (YES, YES)),
    ] {
        let tag = format!("<meta name=ROBOTS content='{content}'>");
        assert_eq!(two(Dialect::Html4, &[&tag], "any"), expected, "{content}");
    }
    let page = "<meta name=robots content=index><meta name=robots content=noindex>";
    let verdict = verdict(Dialect::Html4, &[page], "any");
    assert_eq!((verdict.may_index, verdict.has_contradiction), (None, true));
}

#[test]
fn html4_knows_no_header_and_no_names() {
    let page = [
        "X-Robots-Tag: noindex",
        "<meta name=googlebot content=noindex>",
    ];
    assert_eq!(two(Dialect::Html4, &page, "googlebot"), (YES, YES));
    let page = ["<body><meta name=robots content=noindex>"];
    assert_eq!(two(Dialect::Html4, &page, "any"), (YES, YES));
    let archived = verdict(
        Dialect::Html4,
        &["<meta name=robots content=noarchive>"],
        "any",
    );
    assert_eq!((archived.may_archive, archived.may_snippet), (NO, None));
}

#[test]
fn google_adds_up_rules_for_all_and_for_one() {
    // "sum of the negative rules"
    let page = "<meta name=robots content=nofollow><meta name=googlebot content=noindex>";
    assert_eq!(two(Dialect::Google, &[page], "googlebot"), (NO, NO));
    assert_eq!(two(Dialect::Google, &[page], "googlebot-news"), (YES, NO));
    assert_eq!(two(Dialect::Google, &[page], "otherbot"), (YES, NO));
    // Only two names count.
    let page = "<meta name=otherbot content=noindex><meta name=GoogleBot-News content=NOINDEX>";
    assert_eq!(two(Dialect::Google, &[page], "googlebot"), (YES, YES));
    assert_eq!(two(Dialect::Google, &[page], "googlebot-news"), (NO, YES));
    assert_eq!(two(Dialect::Google, &[page], "otherbot"), (YES, YES));
}

#[test]
fn google_takes_the_more_restrictive_rule() {
    let page = [
        "X-Robots-Tag: all",
        "<meta name=robots content='index, none'>",
    ];
    assert_eq!(two(Dialect::Google, &page, "googlebot"), (NO, NO));
    let page = "<meta name=robots content='max-snippet:50'><meta name=robots content=nosnippet>";
    let both = verdict(Dialect::Google, &[page], "googlebot");
    assert_eq!((both.may_snippet, both.max_snippet), (NO, Some(50)));
    let page = "<meta name=robots content='max-snippet:-1, max-image-preview:large, max-video-preview:30'>\
        <meta name=googlebot content='max-snippet:20, max-image-preview:standard, max-video-preview:-1'>";
    let limits = verdict(Dialect::Google, &[page], "googlebot");
    assert_eq!(
        (limits.max_snippet, limits.max_video_preview),
        (Some(20), Some(30))
    );
    assert_eq!(limits.max_image_preview, Some(ImagePreview::Standard));
    let none = verdict(
        Dialect::Google,
        &["X-Robots-Tag: max-snippet:0"],
        "googlebot",
    );
    assert_eq!(none.may_snippet, NO);
    let ignored = verdict(
        Dialect::Google,
        &["X-Robots-Tag: max-snippet:few"],
        "googlebot",
    );
    assert_eq!((ignored.may_snippet, ignored.max_snippet), (YES, None));
}

#[test]
fn google_headers() {
    let one = [
        "X-Robots-Tag: googlebot: nofollow",
        "X-Robots-Tag: otherbot: noindex, nofollow",
    ];
    assert_eq!(two(Dialect::Google, &one, "googlebot"), (YES, NO));
    let joined = ["X-Robots-Tag: BadBot: noindex, nofollow, googlebot: nofollow"];
    assert_eq!(two(Dialect::Google, &joined, "googlebot"), (YES, NO));
    let page = [
        "X-Robots-Tag: noimageindex",
        "X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST",
    ];
    let dated = verdict(Dialect::Google, &page, "googlebot");
    assert_eq!(dated.unavailable_after, Some(1_277_478_000 + 8 * 3600));
    assert_eq!(
        (dated.may_index, dated.may_archive, dated.ai_use),
        (YES, None, None)
    );
    let page = ["X-Robots-Tag: googlebot: noindex, indexifembedded"];
    let embedded = verdict(Dialect::Google, &page, "googlebot");
    assert_eq!((embedded.may_index, embedded.index_if_embedded), (NO, true));
}

/// What a page says in an example of a source: its clause, the page, the crawler that is asked for,
/// and whether that may index, follow and show an excerpt.
type Example<'a> = (
    &'a str,
    &'a [&'a str],
    &'a str,
    (Option<bool>, Option<bool>, Option<bool>),
);

fn check(dialect: Dialect, examples: &[Example<'_>]) {
    for (clause, page, crawler, expected) in examples {
        let verdict = verdict(dialect, page, crawler);
        let found = (verdict.may_index, verdict.may_follow, verdict.may_snippet);
        assert_eq!(found, *expected, "{clause}: {page:?} to {crawler}");
    }
}

/// Google Search Central, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications",
/// section by section.
#[test]
fn google_examples_of_meta_tags() {
    let one = "<!DOCTYPE html><html><head><meta name=\"robots\" content=\"noindex\"></head><body></body></html>";
    let news = "<meta name=\"googlebot-news\" content=\"noindex\">";
    let both = "<meta name=\"googlebot\" content=\"noindex\"><meta name=\"googlebot-news\" content=\"nosnippet\">";
    check(
        Dialect::Google,
        &[
            (
                "Using the robots meta tag",
                &[one],
                "googlebot",
                (NO, YES, YES),
            ),
            (
                "name and content: any case",
                &["<META NAME=RoBots CONTENT=NoIndex>"],
                "googlebot",
                (NO, YES, YES),
            ),
            ("googlebot-news: general results", &[news], "googlebot", ALL),
            (
                "googlebot-news: News",
                &[news],
                "googlebot-news",
                (NO, YES, YES),
            ),
            (
                "several crawlers: googlebot",
                &[both],
                "googlebot",
                (NO, YES, YES),
            ),
            (
                "several crawlers: googlebot-news",
                &[both],
                "googlebot-news",
                (YES, YES, NO),
            ),
        ],
    );
}

/// The same: header fields, and rules together.
#[test]
fn google_examples_of_headers_and_rules() {
    let apart = "<meta name=\"robots\" content=\"max-snippet:50, nosnippet\">";
    let for_one =
        "<meta name=\"robots\" content=\"nofollow\"><meta name=\"googlebot\" content=\"noindex\">";
    let embedded = "<meta name=\"googlebot\" content=\"noindex\"><meta name=\"googlebot\" content=\"indexifembedded\">";
    check(
        Dialect::Google,
        &[
            (
                "Using the X-Robots-Tag HTTP header",
                &["X-Robots-Tag: noindex"],
                "googlebot",
                (NO, YES, YES),
            ),
            (
                "several headers",
                &[
                    "X-Robots-Tag: noimageindex",
                    "X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST",
                ],
                "googlebot",
                ALL,
            ),
            (
                "header with a user agent: googlebot",
                &[
                    "X-Robots-Tag: googlebot: nofollow",
                    "X-Robots-Tag: otherbot: noindex, nofollow",
                ],
                "googlebot",
                (YES, NO, YES),
            ),
            (
                "all: no restrictions",
                &["X-Robots-Tag: all"],
                "googlebot",
                ALL,
            ),
            (
                "none: noindex, nofollow",
                &["X-Robots-Tag: none"],
                "googlebot",
                (NO, NO, YES),
            ),
            (
                "max-snippet:0: as nosnippet",
                &["X-Robots-Tag: max-snippet:0"],
                "googlebot",
                (YES, YES, NO),
            ),
            (
                "max-snippet:-1: no limit",
                &["X-Robots-Tag: max-snippet:-1"],
                "googlebot",
                ALL,
            ),
            (
                "conflicting rules: the more restrictive",
                &[apart],
                "googlebot",
                (YES, YES, NO),
            ),
            (
                "Combining rules: the sum of the negative rules",
                &[for_one],
                "googlebot",
                (NO, NO, YES),
            ),
            (
                "Combining rules: other crawlers",
                &[for_one],
                "otherbot",
                (YES, NO, YES),
            ),
            (
                "indexifembedded, in two tags",
                &[embedded],
                "googlebot",
                (NO, YES, YES),
            ),
            (
                "noarchive: no longer used",
                &["X-Robots-Tag: noarchive"],
                "googlebot",
                ALL,
            ),
            (
                "rules without effect",
                &["X-Robots-Tag: nositelinkssearchbox, nocache"],
                "googlebot",
                ALL,
            ),
        ],
    );
    assert!(verdict(Dialect::Google, &[embedded], "googlebot").index_if_embedded);
}

/// Bing Webmaster Tools, "Which Robots Metatags does Bing support?"; Bing Webmaster Blog, April
/// 2020 (limits of previews).
#[test]
fn bing_examples_of_its_documentation() {
    check(
        Dialect::Bing,
        &[
            (
                "NOINDEX",
                &["<meta name=\"robots\" content=\"noindex\">"],
                "bingbot",
                (NO, YES, YES),
            ),
            (
                "NOFOLLOW",
                &["<meta name=\"robots\" content=\"noindex, nofollow\">"],
                "bingbot",
                (NO, NO, YES),
            ),
            (
                "NOSNIPPET",
                &["<meta name=\"robots\" content=\"nosnippet\">"],
                "bingbot",
                (YES, YES, NO),
            ),
            (
                "for Bing alone",
                &["<meta name=\"bingbot\" content=\"noindex\">"],
                "bingbot",
                (NO, YES, YES),
            ),
            (
                "for Bing alone: others",
                &["<meta name=\"bingbot\" content=\"noindex\">"],
                "otherbot",
                (YES, YES, YES),
            ),
            (
                "for others",
                &["<meta name=\"googlebot\" content=\"noindex\">"],
                "bingbot",
                (YES, YES, YES),
            ),
            (
                "X-Robots-Tag",
                &["X-Robots-Tag: bingbot: noindex"],
                "bingbot",
                (NO, YES, YES),
            ),
            (
                "max-snippet:0",
                &["<meta name=\"robots\" content=\"max-snippet:0\">"],
                "bingbot",
                (YES, YES, NO),
            ),
            (
                "max-snippet:-1",
                &["<meta name=\"robots\" content=\"max-snippet:-1\">"],
                "bingbot",
                (YES, YES, YES),
            ),
        ],
    );
}

#[test]
fn google_reads_the_head_of_who_runs_scripts() {
    let pixel = "<noscript><img></noscript><meta name=robots content=noindex>";
    assert_eq!(two(Dialect::Google, &[pixel], "googlebot"), (NO, YES));
    assert_eq!(two(Dialect::Html4, &[pixel], "any"), (YES, YES));
    let noscript = "<noscript><meta name=robots content=noindex></noscript>";
    assert_eq!(two(Dialect::Google, &[noscript], "googlebot"), (YES, YES));
    assert_eq!(two(Dialect::Html4, &[noscript], "any"), (NO, YES));
}

#[test]
fn bing_names_and_words() {
    let page = "<meta name=msnbot content=noindex><meta name=bingbot content=nofollow>";
    assert_eq!(two(Dialect::Bing, &[page], "bingbot"), (NO, NO));
    assert_eq!(two(Dialect::Bing, &[page], "otherbot"), (YES, YES));
    assert_eq!(
        two(Dialect::Bing, &["X-Robots-Tag: noindex,follow"], "bingbot"),
        (NO, YES)
    );
    for (content, archive, ai_use) in [
        ("index", YES, AiUse::Content),
        ("nocache", NO, AiUse::Preview),
        ("noarchive", NO, AiUse::None),
        ("noarchive, nocache", NO, AiUse::Preview),
    ] {
        let tag = format!("<meta name=robots content='{content}'>");
        let verdict = verdict(Dialect::Bing, &[&tag], "bingbot");
        assert_eq!(
            (verdict.may_archive, verdict.ai_use),
            (archive, Some(ai_use)),
            "{content}"
        );
    }
    let page = "<meta name=robots content='max-snippet:400, max-image-preview:huge, max-video-preview:-1'>";
    let limits = verdict(Dialect::Bing, &[page], "bingbot");
    assert_eq!(
        (limits.max_snippet, limits.max_video_preview),
        (Some(400), Some(-1))
    );
    assert_eq!(limits.max_image_preview, None);
}

#[test]
fn repext_merges_members_fields_and_tags() {
    let page = ["Robots-Tag: *;noindex;nosnippet, ExampleBot;"];
    let all = verdict(Dialect::Repext, &page, "otherbot");
    assert_eq!(
        (all.may_index, all.may_snippet, all.may_follow),
        (NO, NO, None)
    );
    let page = [
        "Robots-Tag: ExampleBot;noindex, other;nosnippet, examplebot;nosnippet",
        "X-Robots-Tag: nofollow",
    ];
    let one = verdict(Dialect::Repext, &page, "examplebot");
    assert_eq!((one.may_index, one.may_snippet), (NO, NO));
    assert_eq!(verdict(Dialect::Repext, &page, "any").may_index, YES);
    let page = "<meta name=robots content=noindex><meta name=examplebot content=NoSnippet>";
    let one = verdict(Dialect::Repext, &[page], "examplebot");
    assert_eq!((one.may_index, one.may_snippet), (NO, NO));
    let legacy = verdict(
        Dialect::Repext,
        &["X-Robots-Tag: anybot: noindex"],
        "anybot",
    );
    assert_eq!(legacy.may_index, NO);
    // What is not a List says nothing; none is a rule that it does not define.
    let broken = verdict(Dialect::Repext, &["Robots-Tag: *;noindex nosnippet"], "any");
    assert_eq!(broken.may_index, YES);
    assert_eq!(
        verdict(Dialect::Repext, &["Robots-Tag: *;none"], "any").may_index,
        YES
    );
}

#[test]
fn noai_counts_wherever_it_stands() {
    let page = ["<p><meta name=robots content='noimageai'>"];
    assert_eq!(
        verdict(Dialect::Noai, &page, "any").ai_use,
        Some(AiUse::NoImages)
    );
    let page = ["X-Robots-Tag: noai, noimageai"];
    let both = verdict(Dialect::Noai, &page, "any");
    assert_eq!((both.ai_use, both.may_train()), (Some(AiUse::None), NO));
    assert_eq!((both.may_index, both.may_snippet), (None, None));
    let page = ["<template><meta name=robots content=noai></template>"];
    assert_eq!(verdict(Dialect::Noai, &page, "any").may_train(), YES);
    let page = ["<meta name=GPTBot content=noai>"];
    assert_eq!(verdict(Dialect::Noai, &page, "gptbot").may_train(), NO);
    assert_eq!(verdict(Dialect::Noai, &page, "any").may_train(), YES);
}

#[test]
fn no_dialect_reads_http_equiv() {
    let page = ["<meta http-equiv=X-Robots-Tag content='noindex, noai'>"];
    for dialect in Dialect::ALL {
        let verdict = verdict(dialect, &page, "any");
        assert_ne!(verdict.may_index, NO, "{}", dialect.name());
        assert_ne!(verdict.may_train(), NO, "{}", dialect.name());
    }
}

#[test]
fn a_policy_of_nothing_allows_everything() {
    for dialect in Dialect::ALL {
        let verdicts = dialect.judge(Policy::new(b""));
        assert_eq!(verdicts.len(), 1, "{}", dialect.name());
        assert_eq!(verdicts[0].0, b"*");
        assert!(verdicts[0].1.may_index != NO && verdicts[0].1.may_train() != NO);
        assert!(!dialect.source().is_empty());
    }
}
