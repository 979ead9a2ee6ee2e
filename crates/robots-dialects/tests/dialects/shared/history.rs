//! Comparisons of the yearly states of real sites, and of real files with edited copies.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use robots_dialects::agent::product_token;
use robots_dialects::comparison::{Class, Meaning, compare_crawlers};
use robots_dialects::dialect::{Crawler, Dialect};
use robots_dialects::document::Document;
use robots_dialects::limit;
use serde_json::Value;

use super::{bytes, text};
use crate::promises::comparisons;
use crate::thread_time::ThreadTime;

/// The folder of the states, next to the repository.
pub(super) const HISTORY: &str = "shared/corpus/history";

/// Real files, a JSON object a line, next to the repository.
const CORPUS: &str = "shared/corpus/robots.jsonl.zst";

/// One file in this many is edited.
const STRIDE: usize = 40;

/// The rows of a file in JSON Lines.
fn rows_of(path: &Path) -> impl Iterator<Item = Value> + use<> {
    let file = fs::File::open(path).expect("a file");
    let lines = BufReader::new(zstd::Decoder::new(file).expect("zstd")).split(b'\n');
    lines.map(|line| serde_json::from_slice(&line.expect("a line")).expect("a row"))
}

/// Every pair of consecutive policies of some site.
fn distinct_pairs() -> BTreeSet<[Vec<u8>; 2]> {
    let entries = fs::read_dir(super::shared_path(HISTORY)).expect("the folder");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    let files: BTreeSet<PathBuf> = entries.collect();
    let mut last: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    let rows = files.iter().flat_map(|file| rows_of(file));
    for row in rows.filter(|row| row["status"] == 200) {
        let policy = policy_of(&row);
        if let Some(before) = last.insert(text(&row, "url").to_owned(), policy.clone())
            && before != policy
        {
            pairs.insert([before, policy]);
        }
    }
    pairs
}

fn policy_of(row: &Value) -> Vec<u8> {
    let body = bytes(row, "body_base64");
    Document::read(limit::cut(&body, limit::DEFAULT_LIMIT), 0).canonical_form()
}

/// Policies of real files, each with an edited copy.
fn edited_pairs(count: usize) -> Vec<[Vec<u8>; 2]> {
    let mut draw = Draw(count as u64);
    let rows = rows_of(&super::shared_path(CORPUS)).step_by(STRIDE);
    let policies = rows.map(|row| policy_of(&row));
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

/// One to four edits of a policy: lines removed, moved or repeated, and rules with their type
/// changed, their end changed, or a star inserted.
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

/// The product tokens in either file.
fn names(pair: &[Vec<u8>; 2]) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    for policy in pair {
        let document = Document::read(policy, 0);
        let values = document.user_agents.iter().map(|line| line.value);
        names.extend(values.map(|value| product_token(value).to_ascii_lowercase()));
    }
    names.remove(&b""[..]);
    names
}

/// For every pair, dialect and crawler, the product automaton gives the same class, and the
/// verdicts confirm each witness. Two files have the same meaning exactly when nothing changes for
/// any crawler.
pub(super) fn comparisons_equal_the_automaton() {
    let changes: Vec<[Vec<u8>; 2]> = distinct_pairs().into_iter().collect();
    // Without optimisation, only a part is checked.
    let step = if cfg!(debug_assertions) { 64 } else { 1 };
    let edits = edited_pairs(changes.len() / step);
    for (kind, pairs, step) in [("changes", changes, step), ("edits", edits, 1)] {
        assert!(!pairs.is_empty(), "{kind}");
        let (start, mut classes) = (ThreadTime::now(), Vec::new());
        for pair in &pairs {
            let [old, new] = pair.each_ref().map(|it| Dialect::Rfc9309.compile(it));
            let names = names(pair);
            let compared = compare_crawlers(&old, &new, crawlers(&names));
            classes.extend(compared.iter().map(|it| it.comparison.class));
        }
        let time = start.elapsed();
        let n_undecided = classes.iter().filter(|it| **it == Class::Undecided).count();
        let summary = format!(
            "{kind}: {n_undecided} of {} undecided, {time:?}",
            classes.len()
        );
        println!("{summary}");
        assert!(n_undecided * 200 < classes.len(), "{summary}");
        let is_fast = cfg!(debug_assertions) || time < Duration::from_secs(3);
        assert!(is_fast, "{summary}");
        for pair in pairs.iter().step_by(step) {
            check(pair);
        }
    }
}

fn crawlers(names: &BTreeSet<Vec<u8>>) -> impl Iterator<Item = Crawler<'_>> {
    let crawlers = names.iter().map(|name| Crawler::Named(name));
    crawlers.chain([Crawler::Other])
}

fn check(pair: &[Vec<u8>; 2]) {
    let names = names(pair);
    for dialect in Dialect::ALL {
        let [old, new] = pair.each_ref().map(|policy| dialect.compile(policy));
        let compared = compare_crawlers(&old, &new, crawlers(&names));
        for group in &compared {
            let name = match group.crawlers[0] {
                Crawler::Named(name) => name,
                Crawler::Other => b"~",
            };
            comparisons::agree(dialect, pair.each_ref().map(Vec::as_slice), name, &[]);
        }
        let [old, new] = pair.each_ref().map(|policy| {
            let document = Document::read(policy, 0);
            Meaning::of(&document).id()
        });
        let has = |class| compared.iter().any(|it| it.comparison.class == class);
        if dialect == Dialect::Rfc9309 && old.is_some() && new.is_some() && !has(Class::Undecided) {
            let is_same = compared
                .iter()
                .all(|it| it.comparison.class == Class::Equal);
            assert_eq!(old == new, is_same, "{}", String::from_utf8_lossy(&pair[0]));
        }
    }
}
