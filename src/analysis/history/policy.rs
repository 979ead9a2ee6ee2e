//! Policies as they are compared and shown: their agents, rules and other lines, and the sitemaps
//! of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::temporal_conversions::date32_to_datetime;

use super::difference::{Change, Difference, Side};
use super::{ResolvedCapture, number, small_number, text};
use crate::dataset::Snapshot;
use crate::dataset::lookup::Wanted;
use crate::error::Error;

/// A line of a policy: the text before the colon and after it.
#[derive(Debug, Clone)]
struct Line {
    name: String,
    value: String,
}

/// What is read of a policy.
#[derive(Debug, Clone, Default)]
struct Policy {
    /// Restriction by product token.
    agents: BTreeMap<String, String>,
    /// Type and path, as written, of the rules.
    rules: Vec<(String, String)>,
    /// User-agent lines of each group.
    groups: BTreeMap<i32, Vec<String>>,
    /// Other lines, by group (none: those for everybody) and line number.
    lines: BTreeMap<(Option<i32>, i32), Line>,
}

/// Policies and the sitemaps of files, by id.
#[derive(Debug, Default)]
pub struct Policies {
    by_id: BTreeMap<i64, Policy>,
    sitemaps: BTreeMap<i64, Vec<String>>,
    /// Days since which crawlers are known.
    known_since: BTreeMap<String, i32>,
}

impl Policies {
    /// Reads the policies and files with some ids.
    pub(super) fn read(
        snapshot: &Snapshot,
        policy_ids: BTreeSet<i64>,
        file_ids: BTreeSet<i64>,
    ) -> Result<Self, Error> {
        let mut found = Self {
            by_id: policy_ids
                .iter()
                .map(|id| (*id, Policy::default()))
                .collect(),
            known_since: snapshot.known_since()?,
            ..Self::default()
        };
        let wanted = Wanted::Ids(policy_ids);
        found.read_agents(snapshot, &wanted)?;
        found.read_groups(snapshot, &wanted)?;
        found.read_rules(snapshot, &wanted)?;
        found.read_directives(snapshot, &wanted)?;
        let columns = ["file_id", "sitemap_url"];
        let wanted = Wanted::Ids(file_ids);
        for (_, batch) in snapshot.look_up("sitemaps", "file_id", &wanted, &columns, None)? {
            for row in 0..batch.num_rows() {
                let id = number(&batch, "file_id", row).unwrap_or_default();
                let url = text(&batch, "sitemap_url", row).to_owned();
                found.sitemaps.entry(id).or_default().push(url);
            }
        }
        Ok(found)
    }

    fn of(&mut self, id: Option<i64>) -> &mut Policy {
        self.by_id.entry(id.unwrap_or_default()).or_default()
    }

    fn read_agents(&mut self, snapshot: &Snapshot, wanted: &Wanted) -> Result<(), Error> {
        let columns = ["policy_id", "product_token", "restriction"];
        for (_, batch) in snapshot.look_up("agents", "policy_id", wanted, &columns, None)? {
            for row in 0..batch.num_rows() {
                let token = text(&batch, "product_token", row).to_owned();
                let restriction = text(&batch, "restriction", row).to_owned();
                let policy = self.of(number(&batch, "policy_id", row));
                policy.agents.insert(token, restriction);
            }
        }
        Ok(())
    }

    fn read_groups(&mut self, snapshot: &Snapshot, wanted: &Wanted) -> Result<(), Error> {
        let columns = ["policy_id", "group_index", "user_agents"];
        for (_, batch) in snapshot.look_up("groups", "policy_id", wanted, &columns, None)? {
            let lists = batch["user_agents"].as_list::<i32>();
            for row in 0..batch.num_rows() {
                let list = lists.value(row);
                let agents = list.as_string::<i32>().iter().flatten();
                let agents = agents.map(str::to_owned).collect();
                let index = small_number(&batch, "group_index", row).unwrap_or_default();
                let policy = self.of(number(&batch, "policy_id", row));
                policy.groups.insert(index, agents);
            }
        }
        Ok(())
    }

    fn read_rules(&mut self, snapshot: &Snapshot, wanted: &Wanted) -> Result<(), Error> {
        let columns = [
            "policy_id",
            "group_index",
            "line_number",
            "rule_type",
            "path",
            "path_raw",
        ];
        for (_, batch) in snapshot.look_up("rules", "policy_id", wanted, &columns, None)? {
            let raw = batch["path_raw"].as_string::<i32>();
            for row in 0..batch.num_rows() {
                let rule_type = text(&batch, "rule_type", row).to_owned();
                let path = if raw.is_valid(row) {
                    raw.value(row).to_owned()
                } else {
                    text(&batch, "path", row).to_owned()
                };
                let group = small_number(&batch, "group_index", row);
                let line = small_number(&batch, "line_number", row).unwrap_or_default();
                let name = match rule_type.as_str() {
                    "allow" => "Allow",
                    _ => "Disallow",
                };
                let policy = self.of(number(&batch, "policy_id", row));
                policy.rules.push((rule_type, path.clone()));
                let (name, value) = (name.to_owned(), path);
                policy.lines.insert((group, line), Line { name, value });
            }
        }
        Ok(())
    }

    fn read_directives(&mut self, snapshot: &Snapshot, wanted: &Wanted) -> Result<(), Error> {
        let columns = [
            "policy_id",
            "group_index",
            "line_number",
            "directive_raw",
            "value",
        ];
        for (_, batch) in snapshot.look_up("directives", "policy_id", wanted, &columns, None)? {
            for row in 0..batch.num_rows() {
                let group = small_number(&batch, "group_index", row);
                let number_of_line = small_number(&batch, "line_number", row).unwrap_or_default();
                let line = Line {
                    name: text(&batch, "directive_raw", row).to_owned(),
                    value: text(&batch, "value", row).to_owned(),
                };
                let policy = self.of(number(&batch, "policy_id", row));
                policy.lines.insert((group, number_of_line), line);
            }
        }
        Ok(())
    }

    /// What changed from one answer (`None`: there was none) to the next. An answer is a file and
    /// its policy, or `None` if the site has no robots.txt.
    pub(super) fn change(
        &self,
        before: Option<(Option<i64>, Option<i64>)>,
        now: (Option<i64>, Option<i64>),
    ) -> Change {
        let Some(before) = before else {
            return Change::First;
        };
        if before == now {
            return Change::Same;
        }
        let difference = Difference::of(&self.side(before), &self.side(now));
        if before.1 == now.1 {
            Change::File(difference)
        } else {
            Change::Rules(difference)
        }
    }

    fn side(&self, (file, policy): (Option<i64>, Option<i64>)) -> Side<'_> {
        let mut side = Side::default();
        if let Some(policy) = policy.and_then(|id| self.by_id.get(&id)) {
            let agents = policy.agents.iter();
            side.agents = agents
                .map(|(token, it)| (token.as_str(), it.as_str()))
                .collect();
            for (rule_type, path) in &policy.rules {
                *side.rules.entry((rule_type, path)).or_default() += 1;
            }
        }
        if let Some(sitemaps) = file.and_then(|id| self.sitemaps.get(&id)) {
            side.sitemaps = sitemaps.iter().map(String::as_str).collect();
        }
        side
    }

    /// The agents that a policy names, with the restriction of each.
    pub fn agents(&self, id: Option<i64>) -> Vec<(&str, &str)> {
        let policy = id.and_then(|id| self.by_id.get(&id));
        let agents = policy.into_iter().flat_map(|policy| &policy.agents);
        agents
            .map(|(token, it)| (token.as_str(), it.as_str()))
            .collect()
    }

    /// The product tokens that the policy of a capture names earlier than the catalogue knows the
    /// crawlers, each with the month since which it does, as in `2023-08`.
    pub fn named_early(&self, entry: &ResolvedCapture) -> Vec<(&str, String)> {
        const MICROS_A_DAY: i64 = 86_400_000_000;
        let Some(time) = entry.fetch_time else {
            return Vec::new();
        };
        let month = |day: i32| {
            let date = date32_to_datetime(day)?;
            Some(date.format("%Y-%m").to_string())
        };
        let agents = self.agents(entry.policy_id).into_iter();
        agents
            .filter_map(|(token, _)| {
                let since = *self.known_since.get(token)?;
                let is_early = time.div_euclid(MICROS_A_DAY) < i64::from(since);
                is_early.then(|| Some((token, month(since)?)))?
            })
            .collect()
    }

    /// A policy as text: its groups, in order, with their lines as read. Comments and sitemaps are
    /// not part of it.
    pub fn text(&self, id: i64) -> Option<String> {
        let policy = self.by_id.get(&id)?;
        let mut out = String::new();
        let mut write_lines = |group: Option<i32>, agents: &[String]| {
            let lines = policy.lines.range((group, i32::MIN)..=(group, i32::MAX));
            let lines: Vec<&Line> = lines.map(|(_, line)| line).collect();
            if agents.is_empty() && lines.is_empty() {
                return;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            // Writing to a String cannot fail.
            for agent in agents {
                let _ = writeln!(out, "User-agent: {agent}");
            }
            for Line { name, value } in lines {
                let _ = writeln!(out, "{name}: {value}");
            }
        };
        write_lines(None, &[]);
        for (index, agents) in &policy.groups {
            write_lines(Some(*index), agents);
        }
        Some(out)
    }
}
