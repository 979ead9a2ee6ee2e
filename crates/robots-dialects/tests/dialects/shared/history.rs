//! What changed between the yearly states of real sites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::time::{Duration, Instant};

use robots_dialects::agent::product_token;
use robots_dialects::comparison::{Class, Comparison, DecisionList, Direction, compare_crawlers};
use robots_dialects::dialect::{Crawler, Dialect, Ruleset};
use robots_dialects::document::Document;
use robots_dialects::limit;
use robots_dialects::path::UrlPath;
use serde_json::Value;

use super::{bytes, text};
use crate::thread_time::ThreadTime;

/// The folder of the states, next to the repository.
pub(super) const HISTORY: &str = "shared/corpus/history";

/// Every pair of policies that follow each other at some site.
fn distinct_pairs() -> BTreeSet<[Vec<u8>; 2]> {
    let folder = super::shared_path(HISTORY);
    let entries = fs::read_dir(&folder).expect("the folder");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut last: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for file in files {
        let file = fs::File::open(file).expect("a state");
        let mut rows = Vec::new();
        zstd::Decoder::new(file)
            .and_then(|mut decoder| decoder.read_to_end(&mut rows))
            .expect("a state");
        for row in rows
            .split(|byte| *byte == b'\n')
            .filter(|row| !row.is_empty())
        {
            let row: Value = serde_json::from_slice(row).expect("a row");
            if row["status"] != 200 {
                continue;
            }
            let body = bytes(&row, "body_base64");
            let mut policy = Vec::new();
            Document::read(limit::cut(&body, limit::DEFAULT_LIMIT), 0, &mut policy);
            if let Some(before) = last.insert(text(&row, "url").to_owned(), policy.clone())
                && before != policy
            {
                pairs.insert([before, policy]);
            }
        }
    }
    pairs
}

/// The product tokens in both files.
fn names(pair: &[Vec<u8>; 2]) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    for policy in pair {
        let mut canonical = Vec::new();
        let document = Document::read(policy, 0, &mut canonical);
        let values = document.user_agents.iter().map(|line| line.value);
        names.extend(values.map(|value| product_token(value).to_ascii_lowercase()));
    }
    names.remove(&b""[..]);
    names
}

fn confirm(comparison: &Comparison<'_>, [old, new]: [&Ruleset; 2], crawler: Crawler<'_>) {
    let agent = match crawler {
        Crawler::Named(name) => name,
        Crawler::Other => b"~",
    };
    for reason in &comparison.reasons {
        let path = UrlPath::new(&reason.witness);
        let verdicts = [old, new].map(|ruleset| ruleset.verdict(agent, &path));
        let expected = match reason.direction {
            Direction::Blocked => [true, false],
            Direction::Opened => [false, true],
        };
        assert_eq!(
            verdicts.map(|verdict| verdict.allowed),
            expected,
            "{reason:?}"
        );
        let lines = [reason.old, reason.new].map(|rule| rule.map(|rule| rule.line));
        assert_eq!(verdicts.map(|verdict| verdict.line), lines, "{reason:?}");
    }
}

/// For every pair, dialect and crawler, the product automaton gives the same class, and the
/// verdicts confirm each witness.
pub(super) fn comparisons_equal_the_automaton() {
    let pairs = distinct_pairs();
    // Without optimisation a part has to do.
    let step = if cfg!(debug_assertions) { 64 } else { 1 };
    let start = ThreadTime::now();
    let mut times = Vec::new();
    for pair in &pairs {
        let start = Instant::now();
        let [old, new] = pair
            .each_ref()
            .map(|policy| Dialect::Rfc9309.compile(policy));
        let names = names(pair);
        let asked = names.iter().map(|name| Crawler::Named(name));
        let _ = compare_crawlers(&old, &new, asked.chain([Crawler::Other]));
        times.push(start.elapsed());
    }
    let sum = start.elapsed();
    times.sort();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut n_compared, mut n_without_oracle) = (0, 0);
    for pair in pairs.iter().step_by(step) {
        let names = names(pair);
        for dialect in Dialect::ALL {
            let [old, new] = pair.each_ref().map(|policy| dialect.compile(policy));
            let asked = names.iter().map(|name| Crawler::Named(name));
            let asked = asked.chain([Crawler::Other]);
            let compared = compare_crawlers(&old, &new, asked);
            for group in &compared {
                let crawler = group.crawlers[0];
                n_compared += 1;
                if dialect == Dialect::Rfc9309 {
                    *counts.entry(group.comparison.class.name()).or_default() += 1;
                }
                confirm(&group.comparison, [&old, &new], crawler);
                let lists = [&old, &new].map(|ruleset| DecisionList::new(ruleset, crawler));
                let oracle = lists[0].compare_by_states(&lists[1]);
                if oracle.class == Class::Undecided || group.comparison.class == Class::Undecided {
                    n_without_oracle += 1;
                    continue;
                }
                assert_eq!(
                    group.comparison.class, oracle.class,
                    "{dialect} {crawler:?}"
                );
                confirm(&oracle, [&old, &new], crawler);
            }
        }
    }
    println!(
        "{} pairs, {n_compared} comparisons, {n_without_oracle} without an oracle; rfc9309: \
         {counts:?}, {sum:?} in all, median {:?}, longest {:?}",
        pairs.len(),
        times[times.len() / 2],
        times[times.len() - 1],
    );
    assert!(!pairs.is_empty());
    if step == 1 {
        assert!(sum < Duration::from_secs(3), "{sum:?}");
    }
    let undecided = counts.get("undecided").copied().unwrap_or(0);
    let all: usize = counts.values().sum();
    assert!(undecided * 200 < all, "{undecided} of {all} undecided");
}
