//! Each definition with its examples, and where the four part.

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
fn common_crawl_knows_one_sole_disallow_all() {
    assert_eq!(by_common_crawl("Disallow: /"), "disallow_all");
    for text in [
        "Disallow: /\nDisallow: /",
        "Disallow: /*",
        "Disallow: *",
        "Allow: /a\nDisallow: /",
    ] {
        assert_eq!(by_common_crawl(text), "allow_part", "{text}");
    }
}

#[test]
fn common_crawl_knows_five_sole_allow_alls() {
    for text in ["Allow: /", "Allow: *", "Allow: /*", "Allow:", "Disallow:"] {
        assert_eq!(by_common_crawl(text), "allow_all", "{text}");
    }
    for text in ["Disallow:\nAllow: /", "Disallow:\nDisallow:", "Allow: /$"] {
        assert_eq!(by_common_crawl(text), "allow_part", "{text}");
    }
}

#[test]
fn common_crawl_has_no_class_without_rules() {
    assert_eq!(by_common_crawl(""), "-");
}

#[test]
fn data_provenance_all_needs_the_root_and_no_allow() {
    for text in [
        "Disallow: /",
        "Disallow: /a\nDisallow: /",
        "Disallow: /\nAllow: /?x",
        "Disallow: /\nDisallow:",
    ] {
        assert_eq!(by_data_provenance(text), "all", "{text}");
    }
    for text in [
        "Disallow: /\nAllow: /a",
        "Disallow: /\nAllow:",
        "Disallow: /*",
        "Disallow: /$",
    ] {
        assert_eq!(by_data_provenance(text), "some", "{text}");
    }
}

#[test]
fn data_provenance_none_has_three_forms() {
    for text in [
        "",
        "Allow: /a",
        "Disallow:",
        "Disallow: /*?",
        "Disallow: /a\nAllow: /a",
        "Allow: /a\nAllow: /b\nDisallow: /a\nDisallow: /b",
    ] {
        assert_eq!(by_data_provenance(text), "none", "{text}");
    }
    for text in [
        "Disallow:\nDisallow:",
        "Disallow: /b\nDisallow: /a\nAllow: /a\nAllow: /b",
    ] {
        assert_eq!(by_data_provenance(text), "some", "{text}");
    }
}

#[test]
fn path_probes_ask_the_root_and_every_named_path() {
    use Restriction::{Full, None, Partial};
    for (text, expected) in [
        ("", None),
        ("Disallow:", None),
        ("Disallow: /", Full),
        ("Disallow: *", Full),
        ("Disallow: /*", Full),
        ("Disallow: /a", Partial),
        ("Disallow: /\nAllow: /a", Partial),
        ("Disallow: /\nAllow: /$", Partial),
        ("Disallow: /$", Partial),
        ("Disallow: /\nAllow: /", None),
        ("Disallow: /*?x", Partial),
        ("Disallow: /a b", None), // asked as `/a`
        ("Disallow: /robots.txt", Partial),
        ("Disallow: /\nAllow: /index.html", Partial),
        ("Disallow: ?q", None),
        ("Disallow: a", None),
    ] {
        assert_eq!(by_path_probes(text, &[]), expected, "{text}");
    }
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
Disallow: /                           | full    | disallow_all | all  | full
Disallow: /a                          | partial | allow_part   | some | partial
# One rule in other words.
Disallow: /*                          | full    | allow_part   | some | full
Disallow: *                           | full    | allow_part   | some | full
Disallow: /; Disallow: /              | full    | allow_part   | all  | full
Disallow: /; Disallow: /a             | full    | allow_part   | all  | full
Disallow:; Disallow:                  | none    | allow_part   | some | none
Disallow:; Allow: /                   | none    | allow_part   | none | none
# Allow rules that open nothing, or everything.
Disallow: /; Allow:                   | full    | allow_part   | some | full
Disallow: /; Allow: /robots.txt$      | full    | allow_part   | some | partial
Disallow: /; Allow: /                 | none    | allow_part   | none | none
Disallow: /; Allow: *                 | none    | allow_part   | some | none
Disallow: /; Allow: /a                | partial | allow_part   | some | partial
Disallow: /; Allow: /?a               | partial | allow_part   | all  | partial
Disallow: /a; Allow: /a               | none    | allow_part   | none | none
# Rules that close nothing but look as if they did.
Disallow: a                           | none    | allow_part   | some | none
Disallow: https://host/               | none    | allow_part   | some | none
Disallow: /robots.txt$                | none    | allow_part   | some | partial
Disallow: /a; Allow: /*a              | none    | allow_part   | some | none
# Rules that close something no probe or text shows.
Disallow: /*?                         | partial | allow_part   | none | partial
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
