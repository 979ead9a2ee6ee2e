//! Verdicts, by the clauses and examples of each source, in our own words.

use page_directives::dialect::{Dialect, Verdict};
use page_directives::html::metas;
use page_directives::policy::{Policy, Writer};
use page_directives::rule::ImagePreview;

/// Dialect, crawler, verdict, page, and perhaps the clause of the source. The verdict begins with
/// four signs: whether the crawler may index the page, follow its links, show a copy and show an
/// excerpt (`+` yes, `-` no, `?` unknown). The page is a list of header fields and tags with `&&`
/// between them.
const CASES: &str = r#"
# HTML 4.01 appendix B.4.1: words in any case, contradictions, other names and places.
html4  | any            | +++?               | <meta name=ROBOTS content=''>
html4  | any            | +++?               | <meta name=ROBOTS content='INDEX, FOLLOW'>
html4  | any            | --+?               | <meta name=ROBOTS content='NOINDEX,NOFOLLOW'>
html4  | any            | -++?               | <meta name=ROBOTS content='noindex'>
html4  | any            | +-+?               | <meta name=ROBOTS content='NoFollow'>
html4  | any            | +++?               | <meta name=ROBOTS content='ALL'>
html4  | any            | --+?               | <meta name=ROBOTS content='NONE'>
html4  | any            | ?-+? contradiction | <meta name=ROBOTS content='INDEX, NOINDEX, NOFOLLOW'>
html4  | any            | ??+? contradiction | <meta name=ROBOTS content='ALL, NONE'>
html4  | any            | --+?               | <meta name=ROBOTS content='NOINDEX, NONE'>
html4  | any            | +++?               | <meta name=ROBOTS content='noindex nofollow'>
html4  | any            | ++-?               | <meta name=ROBOTS content='noarchive'>
html4  | any            | ?++? contradiction | <meta name=robots content=index><meta name=robots content=noindex>
html4  | googlebot      | +++?               | X-Robots-Tag: noindex && <meta name=googlebot content=noindex>
html4  | any            | +++?               | <body><meta name=robots content=noindex>
html4  | any            | +++?               | <noscript><img></noscript><meta name=robots content=noindex>
html4  | any            | -++?               | <noscript><meta name=robots content=noindex></noscript>
# Google Search Central, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications", in its order.
google | googlebot      | -+?+               | <!DOCTYPE html><html><head><meta name="robots" content="noindex"></head><body></body></html> | Using the robots meta tag
google | googlebot      | -+?+               | <META NAME=RoBots CONTENT=NoIndex> | name and content: any case
google | googlebot      | ++?+               | <meta name="googlebot-news" content="noindex"> | googlebot-news: general results
google | googlebot-news | -+?+               | <meta name="googlebot-news" content="noindex"> | googlebot-news: News
google | googlebot      | -+?+               | <meta name="googlebot" content="noindex"><meta name="googlebot-news" content="nosnippet"> | several crawlers: googlebot
google | googlebot-news | ++?-               | <meta name="googlebot" content="noindex"><meta name="googlebot-news" content="nosnippet"> | several crawlers: googlebot-news
google | googlebot      | -+?+               | X-Robots-Tag: noindex | Using the X-Robots-Tag HTTP header
google | googlebot      | ++?+ unavailable_after:1277506800 | X-Robots-Tag: noimageindex && X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST | several headers
google | googlebot      | +-?+               | X-Robots-Tag: googlebot: nofollow && X-Robots-Tag: otherbot: noindex, nofollow | header with a user agent: googlebot
google | googlebot      | ++?+               | X-Robots-Tag: all | all: no restrictions
google | googlebot      | --?+               | X-Robots-Tag: none | none: noindex, nofollow
google | googlebot      | ++?- max-snippet:0 | X-Robots-Tag: max-snippet:0 | max-snippet:0: as nosnippet
google | googlebot      | ++?+ max-snippet:-1 | X-Robots-Tag: max-snippet:-1 | max-snippet:-1: no limit
google | googlebot      | ++?- max-snippet:50 | <meta name="robots" content="max-snippet:50, nosnippet"> | conflicting rules: the more restrictive
google | googlebot      | --?+               | <meta name="robots" content="nofollow"><meta name="googlebot" content="noindex"> | Combining rules: the sum of the negative rules
google | otherbot       | +-?+               | <meta name="robots" content="nofollow"><meta name="googlebot" content="noindex"> | Combining rules: other crawlers
google | googlebot      | -+?+ indexifembedded | <meta name="googlebot" content="noindex"><meta name="googlebot" content="indexifembedded"> | indexifembedded, in two tags
google | googlebot      | ++?+               | X-Robots-Tag: noarchive | noarchive: no longer used
google | googlebot      | ++?+               | X-Robots-Tag: nositelinkssearchbox, nocache | rules without effect
# Google: the sum of the negative rules for all and for one of two names; the more restrictive of two.
google | googlebot-news | +-?+               | <meta name=robots content=nofollow><meta name=googlebot content=noindex>
google | googlebot      | ++?+               | <meta name=otherbot content=noindex><meta name=GoogleBot-News content=NOINDEX>
google | googlebot-news | -+?+               | <meta name=otherbot content=noindex><meta name=GoogleBot-News content=NOINDEX>
google | otherbot       | ++?+               | <meta name=otherbot content=noindex><meta name=GoogleBot-News content=NOINDEX>
google | googlebot      | --?+               | X-Robots-Tag: all && <meta name=robots content='index, none'>
google | googlebot      | ++?- max-snippet:50 | <meta name=robots content='max-snippet:50'><meta name=robots content=nosnippet>
google | googlebot      | ++?+ max-snippet:20 max-image-preview:standard max-video-preview:30 | <meta name=robots content='max-snippet:-1, max-image-preview:large, max-video-preview:30'><meta name=googlebot content='max-snippet:20, max-image-preview:standard, max-video-preview:-1'>
google | googlebot      | ++?+               | X-Robots-Tag: max-snippet:few
google | googlebot      | +-?+               | X-Robots-Tag: BadBot: noindex, nofollow, googlebot: nofollow
google | googlebot      | -+?+ indexifembedded | X-Robots-Tag: googlebot: noindex, indexifembedded
# Google reads the head of a client that runs scripts.
google | googlebot      | -+?+               | <noscript><img></noscript><meta name=robots content=noindex>
google | googlebot      | ++?+               | <noscript><meta name=robots content=noindex></noscript>
# Bing Webmaster Tools, "Which Robots Metatags does Bing support?"; Bing Webmaster Blog, April 2020 (limits of previews).
bing   | bingbot        | -+++ ai:content    | <meta name="robots" content="noindex"> | NOINDEX
bing   | bingbot        | --++ ai:content    | <meta name="robots" content="noindex, nofollow"> | NOFOLLOW
bing   | bingbot        | +++- ai:content    | <meta name="robots" content="nosnippet"> | NOSNIPPET
bing   | bingbot        | -+++ ai:content    | <meta name="bingbot" content="noindex"> | for Bing alone
bing   | otherbot       | ++++ ai:content    | <meta name="bingbot" content="noindex"> | for Bing alone: others
bing   | bingbot        | ++++ ai:content    | <meta name="googlebot" content="noindex"> | for others
bing   | bingbot        | -+++ ai:content    | X-Robots-Tag: bingbot: noindex | X-Robots-Tag
bing   | bingbot        | +++- ai:content max-snippet:0 | <meta name="robots" content="max-snippet:0"> | max-snippet:0
bing   | bingbot        | ++++ ai:content max-snippet:-1 | <meta name="robots" content="max-snippet:-1"> | max-snippet:-1
# Bing: two names of one crawler; archives, and use by AI.
bing   | bingbot        | --++ ai:content    | <meta name=msnbot content=noindex><meta name=bingbot content=nofollow>
bing   | otherbot       | ++++ ai:content    | <meta name=msnbot content=noindex><meta name=bingbot content=nofollow>
bing   | bingbot        | -+++ ai:content    | X-Robots-Tag: noindex,follow
bing   | bingbot        | ++++ ai:content    | <meta name=robots content='index'>
bing   | bingbot        | ++-+ ai:preview    | <meta name=robots content='nocache'>
bing   | bingbot        | ++-+ ai:none       | <meta name=robots content='noarchive'>
bing   | bingbot        | ++-+ ai:preview    | <meta name=robots content='noarchive, nocache'>
bing   | bingbot        | ++++ ai:content max-snippet:400 max-video-preview:-1 | <meta name=robots content='max-snippet:400, max-image-preview:huge, max-video-preview:-1'>
# draft-illyes-repext-03: members, fields and tags are merged; what is not a List says nothing; none is not defined.
repext | otherbot       | -??-               | Robots-Tag: *;noindex;nosnippet, ExampleBot;
repext | examplebot     | -??-               | Robots-Tag: ExampleBot;noindex, other;nosnippet, examplebot;nosnippet && X-Robots-Tag: nofollow
repext | any            | +??+               | Robots-Tag: ExampleBot;noindex, other;nosnippet, examplebot;nosnippet && X-Robots-Tag: nofollow
repext | examplebot     | -??-               | <meta name=robots content=noindex><meta name=examplebot content=NoSnippet>
repext | anybot         | -??+               | X-Robots-Tag: anybot: noindex
repext | any            | +??+               | Robots-Tag: *;noindex nosnippet
repext | any            | +??+               | Robots-Tag: *;none
# noai: wherever the tag is, except in a template; any crawler may be named.
noai   | any            | ???? ai:no_images  | <p><meta name=robots content='noimageai'>
noai   | any            | ???? ai:none       | X-Robots-Tag: noai, noimageai
noai   | any            | ???? ai:content    | <template><meta name=robots content=noai></template>
noai   | gptbot         | ???? ai:none       | <meta name=GPTBot content=noai>
noai   | any            | ???? ai:content    | <meta name=GPTBot content=noai>
"#;

#[test]
fn what_each_dialect_says() {
    for line in CASES.trim().lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [dialect, crawler, expected, page] = cells[..4] else {
            panic!("four columns: {line}")
        };
        let mut all = Dialect::ALL.into_iter();
        let dialect = all.find(|it| it.name() == dialect).expect("a dialect");
        assert_eq!(shown(&verdict(dialect, page, crawler)), expected, "{line}");
    }
}

/// What `dialect` says to `crawler`, or to all where it does not name that one.
fn verdict(dialect: Dialect, page: &str, crawler: &str) -> Verdict {
    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    for part in page.split(" && ") {
        if part.starts_with('<') {
            metas(part.as_bytes(), |meta| writer.meta(&meta));
        } else {
            let (name, value) = part.split_once(": ").expect("a header field");
            writer.header(&name.to_ascii_lowercase(), value.as_bytes());
        }
    }
    writer.finish();
    let verdicts = dialect.judge(Policy::new(&form));
    let is_own = |(name, _): &&(Vec<u8>, _)| name == crawler.as_bytes();
    verdicts.iter().find(is_own).unwrap_or(&verdicts[0]).1
}

/// A verdict as the cases have it.
fn shown(verdict: &Verdict) -> String {
    let may = [
        verdict.may_index,
        verdict.may_follow,
        verdict.may_archive,
        verdict.may_snippet,
    ];
    let signs = may.map(|may| may.map_or("?", |may| if may { "+" } else { "-" }));
    let with = |name: &str, value: Option<i64>| value.map(|value| format!("{name}:{value}"));
    let image = verdict.max_image_preview.map(ImagePreview::name);
    let flag = |name: &str, is_set: bool| is_set.then(|| name.to_owned());
    let words = [
        Some(signs.concat()),
        verdict.ai_use.map(|ai_use| format!("ai:{}", ai_use.name())),
        flag("contradiction", verdict.has_contradiction),
        flag("indexifembedded", verdict.index_if_embedded),
        with("max-snippet", verdict.max_snippet),
        image.map(|size| format!("max-image-preview:{size}")),
        with("max-video-preview", verdict.max_video_preview),
        with("unavailable_after", verdict.unavailable_after),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[test]
fn no_dialect_reads_http_equiv() {
    let page = "<meta http-equiv=X-Robots-Tag content='noindex, noai'>";
    for dialect in Dialect::ALL {
        let verdict = verdict(dialect, page, "any");
        assert_ne!(verdict.may_index, Some(false), "{}", dialect.name());
        assert_ne!(verdict.may_train(), Some(false), "{}", dialect.name());
    }
}

#[test]
fn a_policy_of_nothing_allows_everything() {
    for dialect in Dialect::ALL {
        let verdicts = dialect.judge(Policy::new(b""));
        assert_eq!(verdicts.len(), 1, "{}", dialect.name());
        assert_eq!(verdicts[0].0, b"*");
        let verdict = verdicts[0].1;
        assert_ne!(verdict.may_index, Some(false));
        assert_ne!(verdict.may_train(), Some(false));
        assert!(!dialect.source().is_empty());
    }
}

#[test]
fn training_is_a_use_by_ai() {
    use page_directives::dialect::AiUse::{self, Content, NoImages, None, Preview};
    let may_train = [Content, NoImages, Preview, None].map(AiUse::may_train);
    assert_eq!(may_train, [true, true, false, false]);
}
