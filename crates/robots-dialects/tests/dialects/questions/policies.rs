//! Questions about what a robots.txt allows.

use robots_dialects::Robots;
use robots_dialects::comparison::{Class, Meaning, compare, compare_dialects};
use robots_dialects::dialect::{Crawler, Dialect, Ruleset};
use robots_dialects::document::Document;
use robots_dialects::path::UrlPath;
use robots_dialects::published::{CommonCrawlClass, common_crawl, data_provenance, path_probes};
use robots_dialects::restriction::restriction;
use robots_dialects::rule::{Rule, RuleType};

use super::values::{request_rate, response, visit_time};
use super::{dialect, file, joined, or_dash, rules, shown, text};

pub(super) fn answer(question: &str, body: &[u8], cells: &[&[u8]]) -> Option<String> {
    Some(match (question, cells) {
        ("verdict", [dialects, agent, url]) => by_dialect(text(dialects), body, |ruleset| {
            verdict(ruleset, agent, &UrlPath::from_url(url))
        }),
        ("first-named", [tokens]) => {
            let tokens: Vec<&[u8]> = tokens.split(|byte| *byte == b' ').collect();
            let ruleset = Dialect::Google.compile(body);
            or_dash(ruleset.first_named(&tokens).map(shown))
        }
        ("visit-terms", [dialects, agent]) => {
            by_dialect(text(dialects), body, |ruleset| visit_terms(ruleset, agent))
        }
        ("visit-at", [agent, clock]) => {
            let clock: u16 = text(clock).parse().expect("a time");
            visit_at(body, agent, clock / 100 * 60 + clock % 100)
        }
        ("without-rules", [name, status, url]) => {
            without_rules(&Robots::read(body, dialect(name), response(status)), url)
        }
        ("restriction", []) => {
            let rules = text(body).split_whitespace().map(|word| {
                let types = [RuleType::Disallow, RuleType::Allow];
                let rule_type = types[usize::from(word.starts_with('+'))];
                Rule::new(rule_type, &word.as_bytes()[1..])
            });
            let judged = restriction(rules);
            assert!(judged.is_exact);
            judged.restriction.name().to_owned()
        }
        ("definitions", others) => definitions(&rules(body), others),
        ("compare", [other]) => {
            let [one, other] = [body, &file(other)].map(|it| Dialect::Rfc9309.compile(&rules(it)));
            let class = |old, new| compare(old, new, Crawler::Other).class.name();
            format!("{} | {}", class(&one, &other), class(&other, &one))
        }
        ("reasons", [other]) => reasons(&rules(body), &rules(&file(other))),
        ("classes", []) => classes(&rules(body)),
        ("meaning", [other]) => {
            let [one, other] = [body, &file(other)].map(|body| meaning(body).id());
            let is_same = one.expect("few rules") == other.expect("few rules");
            if is_same { "same" } else { "another" }.to_owned()
        }
        ("versus-wildcard", [agent]) => meaning(body).versus_wildcard(agent).name().to_owned(),
        ("dead-rules", []) => {
            let meaning = meaning(body);
            let lines = (1..).zip(text(body).lines());
            let rules = lines.filter(|(_, line)| line.contains("llow"));
            let dead = rules.filter(|(line, _)| meaning.is_dead(*line).expect("few rules"));
            joined(dead.map(|(line, _)| line.to_string()), " ")
        }
        _ => return None,
    })
}

/// The answers of the named dialects, or of all; only one if they agree.
fn by_dialect(names: &str, body: &[u8], answer: impl Fn(&Ruleset) -> String) -> String {
    let dialects: Vec<Dialect> = match names {
        "all" => Dialect::ALL.into(),
        names => names
            .split(' ')
            .map(|name| dialect(name.as_bytes()))
            .collect(),
    };
    let mut answers: Vec<String> = Vec::new();
    for dialect in dialects {
        answers.push(answer(&dialect.compile(body)));
    }
    if answers.iter().all(|answer| *answer == answers[0]) {
        answers.truncate(1);
    }
    answers.join(" | ")
}

fn verdict(ruleset: &Ruleset, agent: &[u8], path: &UrlPath<'_>) -> String {
    let verdict = ruleset.verdict(agent, path);
    let mut words = vec![
        if verdict.allowed {
            "allowed"
        } else {
            "blocked"
        }
        .to_owned(),
    ];
    words.extend(verdict.line.map(|line| format!("line {line}")));
    words.extend(verdict.group.map(|group| format!("group {group}")));
    words.push(verdict.choice.name().to_owned());
    words.push(verdict.reason.name().to_owned());
    words.extend(
        verdict
            .is_interpretation
            .then(|| "interpretation".to_owned()),
    );
    words.join(" ")
}

fn visit_terms(ruleset: &Ruleset, agent: &[u8]) -> String {
    or_dash(ruleset.visit_terms(agent).map(|terms| {
        let version = terms.version.map(|version| format!("version {version:?}"));
        let time = terms.visit_time.map(visit_time);
        let rates = terms.request_rates.iter().map(request_rate);
        let comments = terms.comments.iter().map(|comment| shown(comment));
        joined(
            version.into_iter().chain(time).chain(rates).chain(comments),
            ", ",
        )
    }))
}

/// Whether `agent` may visit at a minute of the day, and how fast.
fn visit_at(body: &[u8], agent: &[u8], minute: u16) -> String {
    let ruleset = Dialect::Conner1996.compile(body);
    let terms = ruleset.visit_terms(agent).expect("a record");
    let is_within = terms.visit_time.expect("a time").contains(minute);
    let rate = terms.rate_at(minute).map(request_rate);
    format!("{is_within} | {}", or_dash(rate))
}

/// What a response without rules means for a crawler, and how a 404 compares with it.
fn without_rules(robots: &Robots, url: &[u8]) -> String {
    let verdict = robots.verdict("x", url);
    assert_eq!(robots.allowed("x", url), verdict.allowed);
    assert!(robots.sitemaps().is_empty());
    let missing = Robots::read("", robots.dialect(), response(b"404"));
    let words = [
        robots.access().name(),
        if verdict.allowed {
            "allowed"
        } else {
            "blocked"
        },
        verdict.reason.name(),
        robots.restriction("x").name(),
        robots.compare(&missing, "x").class.name(),
    ];
    words.join(" | ")
}

/// How much rules restrict: exactly, by Common Crawl, by the Data Provenance Initiative, and by
/// path probes, which also test the paths of other agents.
fn definitions(body: &[u8], others: &[&[u8]]) -> String {
    let document = Document::read(body, 0);
    let rules = || document.rules.iter().map(Rule::from);
    let answers = [
        restriction(rules()).restriction.name(),
        common_crawl(rules()).map_or("-", CommonCrawlClass::name),
        data_provenance(rules()).name(),
        path_probes(rules(), others.iter().copied())
            .restriction
            .name(),
    ];
    answers.join(" | ")
}

fn reasons(old: &[u8], new: &[u8]) -> String {
    let [old, new] = [old, new].map(|body| Dialect::Rfc9309.compile(body));
    let comparison = compare(&old, &new, Crawler::Other);
    let reasons = comparison.reasons.iter().map(|reason| {
        let patterns = joined(reason.patterns.iter().map(|it| shown(it)), " ");
        let (direction, example) = (reason.direction.name(), shown(&reason.witness));
        format!("{direction} {patterns} for example {example}")
    });
    joined(reasons, ", ")
}

/// The dialects that do not allow the same paths as RFC 9309.
fn classes(body: &[u8]) -> String {
    let rfc9309 = Dialect::Rfc9309.compile(body);
    let differing = Dialect::ALL.into_iter().filter_map(|dialect| {
        let other = dialect.compile(body);
        let compared = compare_dialects(&rfc9309, &other, [Crawler::Other]);
        let class = compared[0].comparison.class;
        (class != Class::Equal).then(|| format!("{dialect} {}", class.name()))
    });
    joined(differing, ", ")
}

fn meaning(body: &[u8]) -> Meaning {
    let document = Document::read(body, 0);
    Meaning::of(&document)
}
