//! Cases as text: the blocks of each page of `tests/cases`, line by line.
//!
//! The word after a fence is a [question](answer). A line of the block is a case: a page or value,
//! `->`, and the answer. `\n`, `\r`, `\t`, `\0` and `\xE9` are bytes, and `{robots}` is a meta tag.
//! Lines without an arrow are comments. `ROBOSTAT_UPDATE=1` in the environment writes the answers
//! into the pages.

use std::fs;
use std::path::Path;

use page_directives::dialect::{Dialect, Verdict};
use page_directives::header::{is_ambiguous, read_robots_tag, read_x_robots_tag};
use page_directives::html::{self, Candidates, metas};
use page_directives::names::{Attribute, addresses_robots, is_preference};
use page_directives::policy::{Policy, Writer};
use page_directives::rule::{self, ImagePreview, Rule};
use page_directives::time::parse_time;

pub(crate) const ROBOTS: &str = "<meta name=robots content=noindex>";

#[test]
fn cases_of_every_page() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for page in fs::read_dir(pages).expect("pages") {
        check(&page.expect("a page").path());
    }
}

/// Compares a page with the answers to its questions.
fn check(page: &Path) {
    let text = fs::read_to_string(page).expect("a page");
    let (mut found, mut wrong) = (String::new(), Vec::new());
    let mut question = "";
    for (number, line) in (1..).zip(text.lines()) {
        let mut answered = line.to_owned();
        if let Some(asked) = line.strip_prefix("```") {
            question = asked;
        } else if let Some((case, expected)) = line.rsplit_once("->")
            && !question.is_empty()
        {
            let input = case.trim().replace("{robots}", ROBOTS);
            let answer = answer(question, &unescaped(&input));
            if answer != expected.trim() {
                answered = format!("{case}-> {answer}");
                wrong.push(format!("line {number}:\n- {line}\n+ {answered}\n"));
            }
        }
        found += answered.trim_end();
        found.push('\n');
    }
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::write(page, found).expect("written");
    } else {
        assert!(wrong.is_empty(), "{}\n{}", page.display(), wrong.concat());
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut pieces = text.split('\\');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (length, byte) = match piece.as_bytes() {
            [b'r', ..] => (1, b'\r'),
            [b'n', ..] => (1, b'\n'),
            [b't', ..] => (1, b'\t'),
            [b'0', ..] => (1, 0),
            [b'x', ..] => (3, u8::from_str_radix(&piece[1..3], 16).expect("two digits")),
            _ => panic!("unknown escape: {text}"),
        };
        bytes.push(byte);
        bytes.extend_from_slice(&piece.as_bytes()[length..]);
    }
    bytes
}

/// The answer to a question about `bytes`; the name of a dialect is a question too.
fn answer(question: &str, bytes: &[u8]) -> String {
    match question {
        "rules" => {
            let mut rules = Vec::new();
            rule::read(bytes, |rule| rules.push(shown(&rule)));
            rules.join(" | ")
        }
        "values" => {
            let mut values = Vec::new();
            rule::read(bytes, |rule| {
                values.extend(rule.number().map(|number| format!("number {number}")));
                values.extend(rule.size().map(|size| format!("size {}", size.name())));
                values.extend(rule.time().map(|time| format!("time {time}")));
            });
            values.join(" | ")
        }
        "x-robots-tag" => {
            let mut rules = Vec::new();
            read_x_robots_tag(bytes, |crawler, rule| rules.push(addressed(crawler, &rule)));
            rules.extend(is_ambiguous(bytes).then(|| "ambiguous".to_owned()));
            rules.join(" | ")
        }
        "robots-tag" => {
            let mut rules = Vec::new();
            let is_list =
                read_robots_tag(bytes, |crawler, rule| rules.push(addressed(crawler, &rule)));
            if is_list {
                rules.join(" | ")
            } else {
                "not a list".to_owned()
            }
        }
        "date" => parse_time(bytes).map_or("none".to_owned(), |time| time.to_string()),
        "name" => subject(Attribute::Name, bytes),
        "http-equiv" => subject(Attribute::HttpEquiv, bytes),
        "meta-tags" => {
            let mut tags = Vec::new();
            metas(bytes, |meta| {
                let [name, content] = [meta.name, meta.content].map(text);
                tags.push(format!("{} {name}={content}", meta.place.name()));
            });
            tags.join(" | ")
        }
        "candidates" => match html::candidates(bytes) {
            Candidates::None => "none".to_owned(),
            Candidates::EndingAt(end) => end.to_string(),
            Candidates::Unknown => "unknown".to_owned(),
        },
        "sniffing" => if html::begins_as_html(bytes) {
            "html"
        } else {
            "other"
        }
        .to_owned(),
        "language" => html::language(bytes).map_or("none".to_owned(), |it| text(&it)),
        "links" => {
            let counts = html::metas_and_links(bytes, |_| {});
            let counts = [
                ("links", counts.links),
                ("nofollow", counts.nofollow),
                ("ugc", counts.ugc),
                ("sponsored", counts.sponsored),
                ("qualified", counts.qualified),
                ("nosnippet", counts.nosnippet),
                ("nosnippet_google", counts.nosnippet_google),
            ];
            let counts = counts.into_iter().filter(|(_, count)| *count > 0);
            words(counts.map(|(name, count)| Some(format!("{name}:{count}"))))
        }
        "policy" => {
            let form = form(&text(bytes));
            let lines = form.strip_suffix(b"\n").unwrap_or_default();
            assert!(!Policy::new(&form).is_cut());
            let lines: Vec<String> = lines.split(|byte| *byte == b'\n').map(text).collect();
            let statements = Policy::new(&form).statements().map(|statement| {
                let source = Some(statement.source.name().to_owned());
                let place = statement.place.map(|place| place.name().to_owned());
                let said = format!("{}: {}", text(statement.name), text(statement.value));
                words([source, place, Some(said)])
            });
            assert_eq!(statements.collect::<Vec<_>>(), lines);
            lines.join(" | ")
        }
        _ => {
            let dialect = Dialect::of_name(question.as_bytes()).expect("a question");
            let input = text(bytes);
            let (crawler, page) = input.split_once(" | ").expect("crawler and page");
            verdict(&judged(dialect, page, crawler))
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn words(words: impl IntoIterator<Item = Option<String>>) -> String {
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn subject(attribute: Attribute, name: &[u8]) -> String {
    let is_preference = is_preference(&name.trim_ascii().to_ascii_lowercase());
    match (addresses_robots(attribute, name), is_preference) {
        (true, false) => "robots",
        (true, true) => "preference",
        (false, _) => "none",
    }
    .to_owned()
}

/// `name=value`. `~` precedes rules with a separator other than a comma next to them, `?` rules
/// that are unknown.
fn shown(rule: &Rule) -> String {
    let tolerated = if rule.is_tolerated { "~" } else { "" };
    let known = if rule.is_known { "" } else { "?" };
    let value = rule
        .value
        .as_deref()
        .map(|value| format!("={}", text(value)));
    format!(
        "{tolerated}{known}{}{}",
        text(&rule.name),
        value.unwrap_or_default()
    )
}

fn addressed(crawler: &[u8], rule: &Rule) -> String {
    format!("{} {}", text(crawler), shown(rule))
}

/// The canonical form of header fields and tags, which have ` && ` between them.
pub(crate) fn form(page: &str) -> Vec<u8> {
    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    for part in page.split(" && ") {
        if part.starts_with('<') {
            metas(part.as_bytes(), |meta| writer.meta(&meta));
        } else {
            let (name, value) = part.split_once(':').expect("a header field");
            writer.header(&name.to_ascii_lowercase(), value.as_bytes());
        }
    }
    writer.finish();
    form
}

/// What `dialect` says to `crawler`, or to all crawlers if the page does not name it.
fn judged(dialect: Dialect, page: &str, crawler: &str) -> Verdict {
    let form = form(page);
    let verdicts = dialect.judge(Policy::new(&form));
    let is_own = |(name, _): &&(Vec<u8>, _)| name == crawler.as_bytes();
    verdicts.iter().find(is_own).unwrap_or(&verdicts[0]).1
}

/// Four signs for whether the crawler may index the page, follow its links, show a copy and show an
/// excerpt (`+` yes, `-` no, `?` unknown), and the rest of the verdict.
fn verdict(verdict: &Verdict) -> String {
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
    words([
        Some(signs.concat()),
        verdict.ai_use.map(|ai_use| format!("ai:{}", ai_use.name())),
        flag("contradiction", verdict.has_contradiction),
        flag("indexifembedded", verdict.index_if_embedded),
        with("max-snippet", verdict.max_snippet),
        image.map(|size| format!("max-image-preview:{size}")),
        with("max-video-preview", verdict.max_video_preview),
        with("unavailable_after", verdict.unavailable_after),
    ])
}
