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

/// What pages say in the examples of a source, one a line: the clause, the crawler that is asked,
/// whether it may index, follow and show an excerpt, and the page.
fn check(dialect: Dialect, examples: &str) {
    for example in examples.trim().lines() {
        let [clause, crawler, expected, page] = example.splitn(4, '|').collect::<Vec<_>>()[..]
        else {
            panic!("four columns: {example}")
        };
        let page: Vec<&str> = page.trim().split(" && ").collect();
        let verdict = verdict(dialect, &page, crawler.trim());
        let found = [verdict.may_index, verdict.may_follow, verdict.may_snippet];
        let found = found.map(|may| may.map_or("unknown", |may| if may { "yes" } else { "no" }));
        assert_eq!(
            found.join(" "),
            expected.trim(),
            "{clause}: {page:?} to {crawler}"
        );
    }
}

/// Google Search Central, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications",
/// section by section.
const GOOGLE: &str = r#"
Using the robots meta tag                      | googlebot      | no yes yes  | <!DOCTYPE html><html><head><meta name="robots" content="noindex"></head><body></body></html>
name and content: any case                     | googlebot      | no yes yes  | <META NAME=RoBots CONTENT=NoIndex>
googlebot-news: general results                | googlebot      | yes yes yes | <meta name="googlebot-news" content="noindex">
googlebot-news: News                           | googlebot-news | no yes yes  | <meta name="googlebot-news" content="noindex">
several crawlers: googlebot                    | googlebot      | no yes yes  | <meta name="googlebot" content="noindex"><meta name="googlebot-news" content="nosnippet">
several crawlers: googlebot-news               | googlebot-news | yes yes no  | <meta name="googlebot" content="noindex"><meta name="googlebot-news" content="nosnippet">
Using the X-Robots-Tag HTTP header             | googlebot      | no yes yes  | X-Robots-Tag: noindex
several headers                                | googlebot      | yes yes yes | X-Robots-Tag: noimageindex && X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST
header with a user agent: googlebot            | googlebot      | yes no yes  | X-Robots-Tag: googlebot: nofollow && X-Robots-Tag: otherbot: noindex, nofollow
all: no restrictions                           | googlebot      | yes yes yes | X-Robots-Tag: all
none: noindex, nofollow                        | googlebot      | no no yes   | X-Robots-Tag: none
max-snippet:0: as nosnippet                    | googlebot      | yes yes no  | X-Robots-Tag: max-snippet:0
max-snippet:-1: no limit                       | googlebot      | yes yes yes | X-Robots-Tag: max-snippet:-1
conflicting rules: the more restrictive        | googlebot      | yes yes no  | <meta name="robots" content="max-snippet:50, nosnippet">
Combining rules: the sum of the negative rules | googlebot      | no no yes   | <meta name="robots" content="nofollow"><meta name="googlebot" content="noindex">
Combining rules: other crawlers                | otherbot       | yes no yes  | <meta name="robots" content="nofollow"><meta name="googlebot" content="noindex">
indexifembedded, in two tags                   | googlebot      | no yes yes  | <meta name="googlebot" content="noindex"><meta name="googlebot" content="indexifembedded">
noarchive: no longer used                      | googlebot      | yes yes yes | X-Robots-Tag: noarchive
rules without effect                           | googlebot      | yes yes yes | X-Robots-Tag: nositelinkssearchbox, nocache
"#;

/// Bing Webmaster Tools, "Which Robots Metatags does Bing support?"; Bing Webmaster Blog, April
/// 2020 (limits of previews).
const BING: &str = r#"
NOINDEX                | bingbot  | no yes yes  | <meta name="robots" content="noindex">
NOFOLLOW               | bingbot  | no no yes   | <meta name="robots" content="noindex, nofollow">
NOSNIPPET              | bingbot  | yes yes no  | <meta name="robots" content="nosnippet">
for Bing alone         | bingbot  | no yes yes  | <meta name="bingbot" content="noindex">
for Bing alone: others | otherbot | yes yes yes | <meta name="bingbot" content="noindex">
for others             | bingbot  | yes yes yes | <meta name="googlebot" content="noindex">
X-Robots-Tag           | bingbot  | no yes yes  | X-Robots-Tag: bingbot: noindex
max-snippet:0          | bingbot  | yes yes no  | <meta name="robots" content="max-snippet:0">
max-snippet:-1         | bingbot  | yes yes yes | <meta name="robots" content="max-snippet:-1">
"#;

#[test]
fn examples_of_documentation() {
    check(Dialect::Google, GOOGLE);
    check(Dialect::Bing, BING);
    let embedded =
        "<meta name=googlebot content=noindex><meta name=googlebot content=indexifembedded>";
    assert!(verdict(Dialect::Google, &[embedded], "googlebot").index_if_embedded);
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
