//! Probes: what agents may fetch of paths, asked of every policy of a dataset.
//!
//! Policies are few where hosts are many, and their canonical form gives every dialect's verdicts,
//! so no body is needed. The [dataset](crate::dataset) brings the policies and takes the rows.

mod run;
mod speakers;
mod target;

use std::collections::HashSet;

use arrow_array::RecordBatch;

use crate::dataset::tables::Builder as _;
use crate::dataset::tables::probes::{ProbeRow, ProbesBuilder};
use robots_dialects::dialect::Dialect;
use robots_dialects::line::{Line, LineKind, read_lines};

pub use run::{Probed, probe};
pub use speakers::{Capture, Speakers, Speaking};
use target::{Target, Whose};

/// What to ask of every policy.
#[derive(Debug)]
pub struct Questions<'q> {
    agents: Vec<&'q [u8]>,
    paths: Vec<Target<'q>>,
    dialects: Vec<Dialect>,
}

/// A line of the questions that is none: its number, from 1, and what is wrong.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLine(pub usize, pub &'static str);

impl<'q> Questions<'q> {
    /// Takes agents and paths, one a line. `#` begins a comment, in `paths` only at the start of
    /// a line; what stands there twice is asked once.
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
        let mut asked = Vec::new();
        let mut seen = HashSet::new();
        for (index, line) in paths.split(|byte| *byte == b'\n').enumerate() {
            let written = line.trim_ascii();
            if written.is_empty() || written.starts_with(b"#") {
                continue;
            }
            let target = Target::read(written).map_err(|message| BadLine(index + 1, message))?;
            if seen.insert(written) {
                asked.push(target);
            }
        }
        Ok(Self {
            agents,
            paths: asked,
            dialects,
        })
    }

    /// Agents.
    #[must_use]
    pub fn n_agents(&self) -> usize {
        self.agents.len()
    }

    /// Paths and URLs.
    #[must_use]
    pub fn n_paths(&self) -> usize {
        self.paths.len()
    }

    /// Rows that a policy gives at most.
    #[must_use]
    pub fn rows_per_policy(&self) -> usize {
        self.agents.len() * self.paths.len() * self.dialects.len()
    }

    /// Whether there is a URL, or a path with a host, among the paths.
    #[must_use]
    pub fn have_hosts(&self) -> bool {
        self.paths.iter().any(|path| path.whose != Whose::Everyone)
    }

    /// The rows of some policies: ids and canonical forms. Those of a policy are in the order of
    /// agents, paths and dialects.
    pub fn ask<'p>(
        &self,
        policies: impl Iterator<Item = (i64, &'p [u8])>,
        speaking: &Speaking,
    ) -> RecordBatch {
        let mut rows = ProbesBuilder::default();
        for (policy_id, canonical) in policies {
            let is_asked = |index: &usize| {
                self.paths[*index].whose == Whose::Everyone || speaking.speaks(policy_id, *index)
            };
            let paths: Vec<usize> = (0..self.paths.len()).filter(is_asked).collect();
            if !paths.is_empty() {
                self.ask_one(policy_id, canonical, &paths, &mut rows);
            }
        }
        rows.finish()
    }

    fn ask_one(&self, policy_id: i64, policy: &[u8], paths: &[usize], rows: &mut ProbesBuilder) {
        let rule_lines = rule_lines(policy);
        let compiled: Vec<_> = self
            .dialects
            .iter()
            .map(|dialect| dialect.compile(policy))
            .collect();
        for agent in &self.agents {
            for path in paths.iter().map(|index| &self.paths[*index]) {
                let (host, origin) = (path.whose.host(), path.origin.as_deref());
                for compiled in &compiled {
                    let verdict = compiled.verdict(agent, &path.path);
                    let rule_index = verdict
                        .line
                        .and_then(|line| rule_lines.binary_search(&line).ok());
                    rows.push(ProbeRow {
                        policy_id,
                        agent,
                        path: path.written,
                        url_host_name: host.map(str::as_bytes),
                        origin: origin.map(str::as_bytes),
                        dialect: compiled.dialect().name(),
                        allowed: verdict.allowed,
                        rule_index: rule_index.and_then(|index| i32::try_from(index).ok()),
                        reason: verdict.reason.name(),
                        choice: verdict.choice.name(),
                        is_our_reading: verdict.is_interpretation,
                    });
                }
            }
        }
    }
}

/// The lines of a policy's canonical form that are rows of `rules`, in their order.
fn rule_lines(policy: &[u8]) -> Vec<u32> {
    let mut lines = Vec::new();
    // The canonical form has no rules outside groups.
    read_lines(policy, &mut |line: &Line<'_>| {
        if matches!(line.kind, LineKind::Allow | LineKind::Disallow) {
            lines.push(line.number);
        }
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENTS: &[u8] = b"# crawlers\nGPTBot # AI\r\n\n  CCBot\nGPTBot\n";

    #[test]
    fn questions_are_lines_without_comments() {
        let paths = b"/\n# none\n/a#b\nhttps://e.example/x\n/\n";
        let questions = Questions::read(AGENTS, paths, vec![Dialect::Rfc9309]).expect("questions");
        assert_eq!(questions.agents, [&b"GPTBot"[..], b"CCBot"]);
        assert_eq!(questions.n_paths(), 3);
        assert!(questions.have_hosts());
        assert_eq!(questions.paths[1].path.bytes(), b"/a");
        let bad = Questions::read(AGENTS, b"/a\na/b\n", Vec::new());
        assert_eq!(bad.err().map(|bad| bad.0), Some(2));
    }
}
