//! What changed between the yearly states of real sites, and what edits of real files would change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::time::{Duration, Instant};

use robots_dialects::agent::product_token;
use robots_dialects::comparison::{
    Class, Comparison, DecisionList, Direction, MeaningReader, compare_crawlers,
};
use robots_dialects::dialect::{Crawler, Dialect, Ruleset};
use robots_dialects::document::Document;
use robots_dialects::limit;
use robots_dialects::path::UrlPath;
use serde_json::Value;

use super::{bytes, text};
use crate::thread_time::ThreadTime;

/// The folder of the states, next to the repository.
pub(super) const HISTORY: &str = "shared/corpus/history";

/// Real files, a JSON object a line, next to the repository.
const CORPUS: &str = "shared/corpus/robots.jsonl.zst";

/// Every so many files one is edited.
const STRIDE: usize = 40;

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
            let policy = policy_of(&row);
            if let Some(before) = last.insert(text(&row, "url").to_owned(), policy.clone())
                && before != policy
            {
                pairs.insert([before, policy]);
            }
        }
    }
    pairs
}

fn policy_of(row: &Value) -> Vec<u8> {
    let body = bytes(row, "body_base64");
    let mut policy = Vec::new();
    Document::read(limit::cut(&body, limit::DEFAULT_LIMIT), 0, &mut policy);
    policy
}

/// Policies of real files, each with an edit of it.
fn edited_pairs(count: usize) -> Vec<[Vec<u8>; 2]> {
    let file = fs::File::open(super::shared_path(CORPUS)).expect("the corpus");
    let rows = BufReader::new(zstd::Decoder::new(file).expect("the corpus")).split(b'\n');
    let mut draw = Draw(count as u64);
    let policies = rows.step_by(STRIDE).map(|row| {
        let row = serde_json::from_slice(&row.expect("a row")).expect("a row");
        policy_of(&row)
    });
    let with_rules = policies.filter(|policy| policy.split(|byte| *byte == b'\n').count() > 2);
    let pairs = with_rules.map(|policy| {
        let edited = edited(&policy, &mut draw);
        [policy, edited]
    });
    pairs.take(count).collect()
}

/// Numbers that look random (xorshift, 64 bits).
struct Draw(u64);

impl Draw {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).expect("below a usize")
    }
}

/// One to four edits of a policy: lines that go, move or are written again, and rules of the other
/// type, with another end, or with a star within.
fn edited(policy: &[u8], draw: &mut Draw) -> Vec<u8> {
    let lines = policy.split(|byte| *byte == b'\n').map(<[u8]>::to_vec);
    let mut lines: Vec<Vec<u8>> = lines.collect();
    for _ in 0..=draw.below(4) {
        let at = draw.below(lines.len());
        let other = draw.below(lines.len());
        let is_rule = lines[at].windows(4).any(|part| part == b"llow");
        let middle = draw.below(lines[at].len());
        match draw.below(7) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.swap(at, other),
            2 => lines.insert(at, lines[other].clone()),
            3 if is_rule => lines[at].push(b"*$/a"[draw.below(4)]),
            4 if is_rule => drop(lines[at].pop()),
            5 if lines[at].starts_with(b"disallow") => drop(lines[at].drain(..3)),
            _ if is_rule && middle > 10 => lines[at].insert(middle, b'*'),
            _ => {}
        }
    }
    lines.join(&b'\n')
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
/// verdicts confirm each witness. Two files have one meaning just when nothing changes for anyone.
pub(super) fn comparisons_equal_the_automaton() {
    let changes: Vec<[Vec<u8>; 2]> = distinct_pairs().into_iter().collect();
    // Without optimisation a part has to do.
    let step = if cfg!(debug_assertions) { 64 } else { 1 };
    let n_edited = changes.len() / step;
    for (kind, pairs) in [("changes", changes), ("edits", edited_pairs(n_edited))] {
        assert!(!pairs.is_empty(), "{kind}");
        let step = if kind == "changes" { step } else { 1 };
        let (start, mut times) = (ThreadTime::now(), Vec::new());
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
        let mut counts = Counts::default();
        for pair in pairs.iter().step_by(step) {
            counts.check(pair);
        }
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{} {kind}, {counts:?}, {sum:?} in all, median {median:?}, longest {longest:?}",
            pairs.len(),
        );
        if !cfg!(debug_assertions) {
            assert!(sum < Duration::from_secs(3), "{kind}: {sum:?}");
        }
        let undecided = counts.classes.get("undecided").copied().unwrap_or(0);
        let all: usize = counts.classes.values().sum();
        assert!(
            undecided * 200 < all,
            "{kind}: {undecided} of {all} undecided"
        );
    }
}

/// What was compared.
#[derive(Debug, Default)]
struct Counts {
    compared: usize,
    without_oracle: usize,
    /// Files with another policy and the same meaning.
    same_meaning: usize,
    /// By RFC 9309.
    classes: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn check(&mut self, pair: &[Vec<u8>; 2]) {
        let names = names(pair);
        for dialect in Dialect::ALL {
            let [old, new] = pair.each_ref().map(|policy| dialect.compile(policy));
            let asked = names.iter().map(|name| Crawler::Named(name));
            let asked = asked.chain([Crawler::Other]);
            let compared = compare_crawlers(&old, &new, asked);
            if dialect == Dialect::Rfc9309 {
                let classes = compared.iter().map(|group| group.comparison.class);
                self.check_meaning(pair, &classes.collect::<Vec<_>>());
            }
            for group in &compared {
                let crawler = group.crawlers[0];
                self.compared += 1;
                confirm(&group.comparison, [&old, &new], crawler);
                let lists = [&old, &new].map(|ruleset| DecisionList::new(ruleset, crawler));
                let oracle = lists[0].compare_by_states(&lists[1]);
                if oracle.class == Class::Undecided || group.comparison.class == Class::Undecided {
                    self.without_oracle += 1;
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

    fn check_meaning(&mut self, pair: &[Vec<u8>; 2], classes: &[Class]) {
        for class in classes {
            *self.classes.entry(class.name()).or_default() += 1;
        }
        let mut reader = MeaningReader::default();
        let [old, new] = pair.each_ref().map(|policy| {
            let document = Document::read(policy, 0, &mut Vec::new());
            reader.read(&document).id()
        });
        if old.is_none() || new.is_none() || classes.contains(&Class::Undecided) {
            return;
        }
        let is_same = classes.iter().all(|class| *class == Class::Equal);
        assert_eq!(old == new, is_same, "{}", String::from_utf8_lossy(&pair[0]));
        self.same_meaning += usize::from(is_same);
    }
}
