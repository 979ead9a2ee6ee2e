//! What each definition makes of the same rules, and what path probes ask.

use super::*;
use crate::restriction::{Restriction, RestrictionScratch, restriction};
use crate::rule::{Rule, RuleType};
use crate::thread_time::ThreadTime;

/// Rules from lines such as `Disallow: /a`, paths taken as normalised.
fn rules(text: &str) -> Vec<Rule<'_>> {
    text.lines()
        .map(|line| {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            let rule_type = if key.trim().eq_ignore_ascii_case("allow") {
                RuleType::Allow
            } else {
                RuleType::Disallow
            };
            Rule::new(rule_type, value.trim().as_bytes())
        })
        .collect()
}

fn by_common_crawl(text: &str) -> &'static str {
    common_crawl(rules(text).into_iter()).map_or("-", CommonCrawlClass::name)
}

fn by_data_provenance(text: &str) -> &'static str {
    data_provenance(rules(text).into_iter()).name()
}

/// Probed with the agent's own paths and `others`.
fn by_path_probes(text: &str, others: &[&str]) -> Restriction {
    let others = others.iter().map(|path| path.as_bytes());
    path_probes(
        rules(text).into_iter(),
        others,
        &mut ProbeScratch::default(),
    )
}

#[test]
fn path_probes_ask_without_escaping() {
    assert_eq!(by_path_probes("Disallow: /ü", &[]), Restriction::None);
    assert_eq!(
        by_path_probes("Disallow: /%C3%BC", &[]),
        Restriction::Partial
    );
    assert_eq!(by_path_probes("Disallow: /%c3%bc", &[]), Restriction::None);
    assert_eq!(
        by_path_probes("Disallow: /ü", &["/%C3%BC"]),
        Restriction::Partial
    );
}

#[test]
fn path_probes_hear_of_paths_of_other_agents() {
    // Both own paths are probed as `/p`, which is disallowed; `/pq` is not.
    let text = "Disallow: /\nAllow: /p\nDisallow: /p$";
    assert_eq!(by_path_probes(text, &[]), Restriction::Full);
    assert_eq!(by_path_probes(text, &["/x", "/pq$"]), Restriction::Partial);
}

#[test]
fn path_probes_are_bounded() {
    let paths: Vec<String> = (0..20_000).map(|n| format!("/p{n:06}")).collect();
    // Each path is allowed and disallowed: every probe agrees with the root.
    let text: Vec<String> = paths
        .iter()
        .map(|path| format!("Allow: {path}\nDisallow: {path}"))
        .collect();
    let text = text.join("\n");
    let start = ThreadTime::now();
    assert_eq!(by_path_probes(&text, &[]), Restriction::None);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// Rules, and what the exact definition, Common Crawl's, the Data Provenance Initiative's and path
/// probes make of them.
const DEFINITIONS: &str = "\
                                      | none    | -            | none | none
Disallow:                             | none    | allow_all    | none | none
Allow: /                              | none    | allow_all    | none | none
Allow: *                              | none    | allow_all    | none | none
Allow: /*                             | none    | allow_all    | none | none
Allow:                                | none    | allow_all    | none | none
Allow: /$                             | none    | allow_part   | none | none
Allow: /a                             | none    | allow_part   | none | none
Disallow: /                           | full    | disallow_all | all  | full
Disallow: /a                          | partial | allow_part   | some | partial
Disallow: /$                          | partial | allow_part   | some | partial
Disallow: /robots.txt                 | partial | allow_part   | some | partial
# One rule in other words.
Disallow: /*                          | full    | allow_part   | some | full
Disallow: *                           | full    | allow_part   | some | full
Disallow: /; Disallow: /              | full    | allow_part   | all  | full
Disallow: /; Disallow: /a             | full    | allow_part   | all  | full
Disallow: /a; Disallow: /             | full    | allow_part   | all  | full
Disallow: /; Disallow:                | full    | allow_part   | all  | full
Disallow:; Disallow:                  | none    | allow_part   | some | none
Disallow:; Allow: /                   | none    | allow_part   | none | none
# Allow rules that open nothing, or everything.
Disallow: /; Allow:                   | full    | allow_part   | some | full
Disallow: /; Allow: /robots.txt$      | full    | allow_part   | some | partial
Disallow: /; Allow: /                 | none    | allow_part   | none | none
Disallow: /; Allow: *                 | none    | allow_part   | some | none
Disallow: /; Allow: /a                | partial | allow_part   | some | partial
Allow: /a; Disallow: /                | partial | allow_part   | some | partial
Disallow: /; Allow: /$                | partial | allow_part   | some | partial
Disallow: /; Allow: /index.html       | partial | allow_part   | some | partial
Disallow: /; Allow: /?a               | partial | allow_part   | all  | partial
Disallow: /a; Allow: /a               | none    | allow_part   | none | none
Allow: /a; Allow: /b; Disallow: /a; Disallow: /b | none | allow_part | none | none
Disallow: /b; Disallow: /a; Allow: /a; Allow: /b | none | allow_part | some | none
# Rules that close nothing but look as if they did.
Disallow: a                           | none    | allow_part   | some | none
Disallow: ?q                          | none    | allow_part   | none | none
Disallow: https://host/               | none    | allow_part   | some | none
Disallow: /robots.txt$                | none    | allow_part   | some | partial
Disallow: /a; Allow: /*a              | none    | allow_part   | some | none
# Rules that close something no probe or text shows.
Disallow: /*?                         | partial | allow_part   | none | partial
Disallow: /*?x                        | partial | allow_part   | none | partial
Disallow: /a b                        | partial | allow_part   | some | none
Disallow: /; Allow: /p; Disallow: /p$ | partial | allow_part   | some | full
";

/// The same rules under the four definitions.
#[test]
fn where_the_definitions_part() {
    let mut scratch = RestrictionScratch::default();
    for line in DEFINITIONS.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let text = &cells[0].replace("; ", "\n");
        let found = [
            restriction(rules(text).into_iter(), &mut scratch).name(),
            by_common_crawl(text),
            by_data_provenance(text),
            by_path_probes(text, &[]).name(),
        ];
        assert_eq!(found, cells[1..], "{text}");
    }
}
