//! The table `policy_diffs`: what each change of policy in a dataset means, for every crawler.
//!
//! Sites share policies and changes of policies, so each distinct pair is compared once. Memory
//! grows with the number of pairs (some 40 bytes each) and of policies in them (some 20); at most
//! [`TEXT_BYTES`] of policies' texts are held.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use rayon::prelude::*;
use robots_dialects::agent::product_token;
use robots_dialects::comparison::{
    Class, Comparison, DecidingRule, Direction, Policy, compare_crawlers,
};
use robots_dialects::dialect::{Crawler, Dialect};
use robots_dialects::document::Document;
use robots_dialects::rule::RuleType;

use super::probe::rule_lines;
use crate::dataset::tables::ReasonValue;
use crate::dataset::tables::policy_diffs::{FILE, PolicyDiffRow, PolicyDiffsBuilder};
use crate::dataset::{Answer, AnswerPair, Dataset, PartWriter, stored};
use crate::error::{Error, check_stop};
use crate::escape::lossy;

const TEXT_BYTES: usize = 256 << 20;
const BATCH_PAIRS: usize = 32;
const PARALLEL_BATCHES: usize = 16;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyDiffsSummary {
    /// Pairs of answers, each counted once for all dialects.
    pub pairs: u64,
    pub rows: u64,
    pub bytes: u64,
}

/// A pair, and the dialects in which its answers differ.
type Change = (AnswerPair, Vec<Dialect>);

/// Writes the table `policy_diffs` of a dataset for `dialects`. The table of an earlier run stays
/// if this run fails, or `stop` is set.
pub fn policy_diffs(
    dataset: &mut Dataset,
    dialects: &[Dialect],
    stop: &AtomicBool,
) -> Result<PolicyDiffsSummary, Error> {
    let pairs = dataset.answer_pairs(dialects, stop)?;
    let changes: BTreeSet<AnswerPair> = pairs.iter().flatten().copied().collect();
    let changes = changes.into_iter().map(|pair| {
        let having = dialects.iter().zip(&pairs);
        let having = having.filter(|(_, pairs)| pairs.contains(&pair));
        (pair, having.map(|(dialect, _)| *dialect).collect())
    });
    let changes: Vec<Change> = changes.collect();
    let (rows, bytes) = dataset.replace_policy_diffs(|dataset, writer| {
        let lengths = lengths(dataset, &changes)?;
        for changes in within_memory(&changes, &lengths, TEXT_BYTES) {
            write(dataset, changes, writer, stop)?;
        }
        Ok(())
    })?;
    Ok(PolicyDiffsSummary {
        pairs: changes.len() as u64,
        rows,
        bytes,
    })
}

/// The dialects in the tables `policy_diffs` of datasets; empty if no dataset has that table.
pub fn dialects_of<'d>(directories: impl Iterator<Item = &'d Path>) -> Result<Vec<Dialect>, Error> {
    let mut names = BTreeSet::new();
    for path in directories.map(|directory| directory.join(FILE)) {
        if !path.exists() {
            continue;
        }
        for batch in stored::open(&path, Some(&["dialect"]))? {
            let batch = batch?;
            let column = batch["dialect"].as_string::<i32>();
            names.extend(column.iter().flatten().map(str::to_owned));
        }
    }
    let dialects = Dialect::ALL.into_iter();
    Ok(dialects.filter(|it| names.contains(it.name())).collect())
}

fn policies(changes: &[Change]) -> impl Iterator<Item = i64> {
    let answers = changes.iter().flat_map(|(pair, _)| *pair);
    answers.filter_map(policy_of)
}

fn policy_of(answer: Answer) -> Option<i64> {
    match answer {
        Answer::Policy(id) => Some(id),
        Answer::AllowAll | Answer::DisallowAll => None,
    }
}

fn lengths(dataset: &Dataset, changes: &[Change]) -> Result<HashMap<i64, usize>, Error> {
    let mut lengths: HashMap<i64, usize> = policies(changes).map(|id| (id, 0)).collect();
    each_policy(dataset, |id, text| {
        if let Some(length) = lengths.get_mut(&id) {
            *length = text.len();
        }
    })?;
    Ok(lengths)
}

fn each_policy(dataset: &Dataset, mut visit: impl FnMut(i64, &[u8])) -> Result<(), Error> {
    let (directory, manifest) = (&dataset.directory, &dataset.manifest);
    let columns = ["policy_id", "canonical"];
    stored::scan(directory, manifest, "policies", &columns, |batch| {
        let ids = stored::bigint(batch, "policy_id");
        let texts = batch["canonical"].as_binary::<i32>();
        (0..batch.num_rows()).for_each(|row| visit(ids.value(row), texts.value(row)));
        Ok(())
    })
}

/// Runs of pairs whose policies have at most `max_bytes` in total, unless one pair has more.
fn within_memory<'c>(
    changes: &'c [Change],
    lengths: &HashMap<i64, usize>,
    max_bytes: usize,
) -> Vec<&'c [Change]> {
    let mut runs = Vec::new();
    let (mut start, mut bytes, mut known) = (0, 0, BTreeSet::new());
    for index in 0..changes.len() {
        let new = policies(&changes[index..=index]).filter(|id| known.insert(*id));
        bytes += new.map(|id| lengths[&id]).sum::<usize>();
        if bytes > max_bytes && index > start {
            runs.push(&changes[start..index]);
            (start, known) = (index, policies(&changes[index..=index]).collect());
            bytes = known.iter().map(|id| lengths[id]).sum();
        }
    }
    runs.push(&changes[start..]);
    runs
}

fn write(
    dataset: &Dataset,
    changes: &[Change],
    writer: &mut PartWriter,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let mut texts: HashMap<i64, Vec<u8>> = policies(changes).map(|id| (id, Vec::new())).collect();
    each_policy(dataset, |id, text| {
        if let Some(held) = texts.get_mut(&id) {
            text.clone_into(held);
        }
    })?;
    for wave in changes.chunks(BATCH_PAIRS * PARALLEL_BATCHES) {
        check_stop(stop)?;
        let batches = wave.par_chunks(BATCH_PAIRS).map(|changes| {
            let mut rows = PolicyDiffsBuilder::default();
            for (pair, dialects) in changes {
                push_pair(*pair, dialects, &texts, &mut rows);
            }
            rows.finish()
        });
        let batches: Vec<RecordBatch> = dataset.pool.install(|| batches.collect());
        for batch in batches {
            writer.push(batch)?;
        }
    }
    Ok(())
}

fn push_pair(
    pair: AnswerPair,
    dialects: &[Dialect],
    texts: &HashMap<i64, Vec<u8>>,
    rows: &mut PolicyDiffsBuilder,
) {
    let ids = pair.map(policy_of);
    let texts = ids.map(|id| id.map_or(&[][..], |id| &texts[&id]));
    let names = names(texts);
    let lines = texts.map(rule_lines);
    for dialect in dialects {
        let rulesets = texts.map(|text| dialect.compile(text));
        let policy = |side: usize| match pair[side] {
            Answer::Policy(_) => Policy::Rules(&rulesets[side]),
            Answer::AllowAll => Policy::AllowAll(*dialect),
            Answer::DisallowAll => Policy::DisallowAll(*dialect),
        };
        let access = pair.map(|answer| match answer {
            Answer::Policy(_) => "parse",
            Answer::AllowAll => "allow_all",
            Answer::DisallowAll => "disallow_all",
        });
        let crawlers = names.iter().map(|name| Crawler::Named(name));
        let compared = compare_crawlers(policy(0), policy(1), crawlers.chain([Crawler::Other]));
        let mut of_crawlers: Vec<(&[u8], usize)> = Vec::new();
        for (index, group) in compared.iter().enumerate() {
            of_crawlers.extend(group.crawlers.iter().map(|it| (it.agent_name(), index)));
        }
        of_crawlers.sort_unstable();
        let groups = compared.iter();
        let reasons = groups.map(|group| reasons(&group.comparison, &lines));
        let reasons: Vec<Vec<ReasonValue>> = reasons.collect();
        for (product_token, index) in of_crawlers {
            let comparison = &compared[index].comparison;
            let witness = |direction: Direction| {
                let mut reasons = comparison.reasons.iter();
                let reason = reasons.find(|reason| reason.direction == direction);
                reason.map(|reason| reason.witness.as_slice())
            };
            rows.push(PolicyDiffRow {
                policy_id_before: ids[0],
                policy_id_after: ids[1],
                access_before: access[0],
                access_after: access[1],
                product_token,
                dialect: dialect.name(),
                class: comparison.class.name(),
                reasons: &reasons[index],
                has_all_reasons: comparison.is_complete,
                witness_blocked: witness(Direction::Blocked),
                witness_opened: witness(Direction::Opened),
                is_exact: comparison.class != Class::Undecided,
            });
        }
    }
}

/// The crawlers that either policy names except `*`, spelt as in `agents.product_token`.
fn names(texts: [&[u8]; 2]) -> BTreeSet<Vec<u8>> {
    let mut names = BTreeSet::new();
    for text in texts {
        let document = Document::read(text, 0);
        names.extend(named_tokens(&document).map(<[u8]>::to_ascii_lowercase));
    }
    names
}

/// The product tokens of the crawlers that a document names except `*`, as written.
pub fn named_tokens<'d>(document: &'d Document<'_>) -> impl Iterator<Item = &'d [u8]> {
    let lines = document.user_agents.iter();
    let tokens = lines.map(|line| product_token(line.value));
    tokens.filter(|token| !matches!(*token, b"" | b"*"))
}

fn reasons(comparison: &Comparison<'_>, lines: &[Vec<u32>; 2]) -> Vec<ReasonValue> {
    let text = |rule: DecidingRule<'_>| match rule.rule.rule_type {
        RuleType::Allow => format!("Allow: {}", lossy(rule.rule.value)),
        RuleType::Disallow => format!("Disallow: {}", lossy(rule.rule.value)),
    };
    let reasons = comparison.reasons.iter().map(|reason| {
        let rules = [reason.old, reason.new];
        let index = |side: usize| {
            let index = lines[side].binary_search(&rules[side]?.line).ok()?;
            i32::try_from(index).ok()
        };
        ReasonValue {
            direction: reason.direction.name(),
            rules: rules.map(|rule| rule.map(text)),
            rule_indices: [index(0), index(1)],
            patterns: reason.patterns.iter().map(|it| lossy(it)).collect(),
            witness: lossy(&reason.witness),
        }
    });
    reasons.collect()
}

#[cfg(test)]
mod tests;
