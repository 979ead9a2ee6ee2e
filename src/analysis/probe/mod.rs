//! Probes: which agents may fetch which paths, by every policy of a dataset.
//!
//! There are far fewer policies than hosts, and a policy's canonical form gives every dialect's
//! verdicts, so no body is needed. The [dataset](crate::dataset) supplies the policies and stores
//! the rows.

mod preferences;
mod table;
mod target;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use arrow_array::RecordBatch;
use robots_dialects::dialect::Dialect;
use robots_dialects::line::{Line, LineKind, read_lines};
use robots_dialects::preferences::PreferenceReader;

use crate::dataset::tables::probes::{ProbeRow, ProbesBuilder};

use preferences::{PreferenceLines, held};
pub use table::{DIRECTORY, probe};
use target::Target;

#[derive(Debug)]
pub struct ProbePlan<'q> {
    agents: Vec<&'q [u8]>,
    paths: Vec<Target<'q>>,
    dialects: Vec<Dialect>,
}

/// Pairs of a policy and a path of the plan to which it applies.
type ApplicablePolicies = HashSet<(i64, usize)>;

/// A line that is not a path: its number, from 1, and what is wrong with it.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLine(pub usize, pub &'static str);

impl<'q> ProbePlan<'q> {
    /// Reads agents and paths, one per line. `#` begins a comment; in `paths`, only at the start of
    /// a line. Repeated lines count once.
    pub fn read(
        agents: &'q [u8],
        paths: &'q [u8],
        dialects: Vec<Dialect>,
    ) -> Result<Self, BadLine> {
        let mut seen = HashSet::new();
        let agents = agents
            .split(|byte| *byte == b'\n')
            .map(|line| line.split(|byte| *byte == b'#').next().unwrap_or_default())
            .map(<[u8]>::trim_ascii)
            .filter(|agent| !agent.is_empty() && seen.insert(*agent))
            .collect();
        let mut targets = Vec::new();
        let mut seen = HashSet::new();
        for (index, line) in paths.split(|byte| *byte == b'\n').enumerate() {
            let written = line.trim_ascii();
            if written.is_empty() || written.starts_with(b"#") {
                continue;
            }
            let target = Target::read(written).map_err(|message| BadLine(index + 1, message))?;
            if seen.insert(written) {
                targets.push(target);
            }
        }
        Ok(Self {
            agents,
            paths: targets,
            dialects,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.rows_per_policy() == 0
    }

    pub fn rows_per_policy(&self) -> usize {
        self.agents.len() * self.paths.len() * self.dialects.len()
    }

    /// The rows of some policies, given by id and canonical form. The rows of one policy are in the
    /// order of agents, paths and dialects. `lines` are the lines of preferences of all policies.
    pub fn rows<'p>(
        &self,
        policies: impl Iterator<Item = (i64, &'p [u8])>,
        applicable: &ApplicablePolicies,
        lines: &PreferenceLines,
    ) -> RecordBatch {
        let mut rows = ProbesBuilder::default();
        for (policy_id, canonical) in policies {
            let applies = |(index, path): &(usize, &Target<'_>)| {
                path.host.is_none() || applicable.contains(&(policy_id, *index))
            };
            let paths = self.paths.iter().enumerate().filter(applies);
            let paths: Vec<&Target<'_>> = paths.map(|(_, path)| path).collect();
            if !paths.is_empty() {
                self.push_policy(policy_id, canonical, &paths, lines, &mut rows);
            }
        }
        rows.finish()
    }

    fn push_policy(
        &self,
        policy_id: i64,
        policy: &[u8],
        paths: &[&Target<'_>],
        lines: &PreferenceLines,
        rows: &mut ProbesBuilder,
    ) {
        let rule_lines = rule_lines(policy);
        let preferences = PreferenceReader::new(policy);
        let numbers = lines.get(&policy_id).map_or(&[][..], Vec::as_slice);
        let rulesets = self.dialects.iter().map(|dialect| dialect.compile(policy));
        let rulesets: Vec<_> = rulesets.collect();
        for agent in &self.agents {
            for path in paths {
                let (host, origin) = (path.host.as_deref(), path.origin.as_deref());
                let held = held(&preferences, numbers, agent, &path.path);
                for ruleset in &rulesets {
                    let verdict = ruleset.verdict(agent, &path.path);
                    let line = verdict.line;
                    let rule_index = line.and_then(|line| rule_lines.binary_search(&line).ok());
                    rows.push(ProbeRow {
                        policy_id,
                        agent,
                        path: path.written,
                        url_host_name: host.map(str::as_bytes),
                        origin: origin.map(str::as_bytes),
                        dialect: ruleset.dialect().name(),
                        allowed: verdict.allowed,
                        rule_index: rule_index.and_then(|index| i32::try_from(index).ok()),
                        reason: verdict.reason.name(),
                        choice: verdict.choice.name(),
                        is_interpretation: verdict.is_interpretation,
                        preferences: held.as_deref(),
                    });
                }
            }
        }
    }
}

/// The numbers of the lines of a policy's canonical form that are rows of `rules`, in order.
pub(in crate::analysis) fn rule_lines(policy: &[u8]) -> Vec<u32> {
    let mut lines = Vec::new();
    // The canonical form has no rules outside groups.
    read_lines(policy, |line: &Line<'_>| {
        if matches!(line.kind, LineKind::Allow | LineKind::Disallow) {
            lines.push(line.number);
        }
    });
    lines
}
