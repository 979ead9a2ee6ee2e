//! Policies as they are compared and shown: their agents, rules and other lines, and the sitemaps
//! of files; and what changes from one answer to the next.

use std::collections::{BTreeMap, BTreeSet};

use arrow_array::cast::AsArray as _;
use arrow_array::temporal_conversions::date32_to_datetime;
use arrow_array::{Array as _, RecordBatch};

use serde::Serialize;

use super::{ResolvedCapture, number, small_number, text};
use crate::dataset::lookup::LookupValues;
use crate::dataset::{MICROS_PER_DAY, Snapshot};
use crate::error::Error;

#[derive(Debug, Default)]
struct Policy {
    /// Restriction by product token.
    agents: BTreeMap<String, String>,
    /// How often each allow or disallow line occurs.
    rules: BTreeMap<(String, String), usize>,
    /// User-agent lines of each group.
    groups: BTreeMap<i32, Vec<String>>,
    /// Rules and other lines, as the texts before and after the colon, by group (`None`: outside
    /// groups) and line number.
    lines: BTreeMap<(Option<i32>, i32), (String, String)>,
}

#[derive(Debug, Default)]
pub struct Policies {
    by_id: BTreeMap<i64, Policy>,
    sitemaps: BTreeMap<i64, BTreeSet<String>>,
    /// The day since which each crawler is known.
    known_since: BTreeMap<String, i32>,
}

impl Policies {
    pub(super) fn read(
        snapshot: &Snapshot,
        policy_ids: BTreeSet<i64>,
        file_ids: BTreeSet<i64>,
    ) -> Result<Self, Error> {
        let policies = policy_ids.iter().map(|id| (*id, Policy::default()));
        let mut found = Self {
            by_id: policies.collect(),
            known_since: snapshot.known_since()?,
            ..Self::default()
        };
        let (policy_ids, file_ids) = (LookupValues::Ids(policy_ids), LookupValues::Ids(file_ids));
        // Reads the rows that have a wanted id in the first of `columns`.
        let each_row = |table, wanted: &LookupValues, columns: &[&str], take: &mut TakeRow<'_>| {
            for (_, batch) in snapshot.look_up(table, columns[0], wanted, columns, None)? {
                (0..batch.num_rows()).for_each(|row| take(&batch, row));
            }
            Ok(())
        };
        let of_policy = |table, columns: &[&str], take: &mut TakeRow<'_>| {
            each_row(
                table,
                &policy_ids,
                &[&["policy_id"], columns].concat(),
                take,
            )
        };
        let columns = ["product_token", "restriction"];
        of_policy("agents", &columns, &mut |batch, row| {
            let [token, restriction] = columns.map(|it| text(batch, it, row).to_owned());
            found.of(batch, row).agents.insert(token, restriction);
        })?;
        let columns = ["group_index", "user_agents"];
        of_policy("groups", &columns, &mut |batch, row| {
            let list = batch["user_agents"].as_list::<i32>().value(row);
            let agents = list.as_string::<i32>().iter().flatten();
            let agents = agents.map(str::to_owned).collect();
            let index = small_number(batch, "group_index", row).unwrap_or_default();
            found.of(batch, row).groups.insert(index, agents);
        })?;
        let columns = [
            "group_index",
            "line_number",
            "rule_type",
            "path",
            "path_raw",
        ];
        of_policy("rules", &columns, &mut |batch, row| {
            let is_raw = batch["path_raw"].is_valid(row);
            let path = text(batch, if is_raw { "path_raw" } else { "path" }, row).to_owned();
            let name = match text(batch, "rule_type", row) {
                "allow" => "Allow",
                _ => "Disallow",
            };
            let (policy, line) = (found.of(batch, row), (name.to_owned(), path));
            *policy.rules.entry(line.clone()).or_default() += 1;
            policy.lines.insert(place_of_line(batch, row), line);
        })?;
        let columns = ["group_index", "line_number", "directive_raw", "value"];
        of_policy("directives", &columns, &mut |batch, row| {
            let [name, value] =
                ["directive_raw", "value"].map(|it| text(batch, it, row).to_owned());
            let place = place_of_line(batch, row);
            found.of(batch, row).lines.insert(place, (name, value));
        })?;
        let columns = ["file_id", "sitemap_url"];
        each_row("sitemaps", &file_ids, &columns, &mut |batch, row| {
            let id = number(batch, columns[0], row).unwrap_or_default();
            let url = text(batch, columns[1], row).to_owned();
            found.sitemaps.entry(id).or_default().insert(url);
        })?;
        Ok(found)
    }

    fn of(&mut self, batch: &RecordBatch, row: usize) -> &mut Policy {
        let id = number(batch, "policy_id", row).unwrap_or_default();
        self.by_id.entry(id).or_default()
    }

    /// What changed from the answer `before` (`None`: no earlier answer) to the answer `now`. An
    /// answer is the ids of a file and its policy, `None` if the site has no robots.txt.
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
        let (no_policy, no_sitemaps) = (Policy::default(), BTreeSet::new());
        let parts = |(file, policy): (Option<i64>, Option<i64>)| {
            let policy = policy.and_then(|id| self.by_id.get(&id));
            let policy = policy.unwrap_or(&no_policy);
            let sitemaps = file.and_then(|id| self.sitemaps.get(&id));
            (policy, sitemaps.unwrap_or(&no_sitemaps))
        };
        let is_same = before.1 == now.1;
        let kind = if is_same { Change::File } else { Change::Rules };
        kind(Difference::of(parts(before), parts(now)))
    }

    pub fn agents(&self, id: Option<i64>) -> Vec<(&str, &str)> {
        let policy = id.and_then(|id| self.by_id.get(&id));
        let agents = policy.into_iter().flat_map(|policy| &policy.agents);
        let agents = agents.map(|(token, it)| (token.as_str(), it.as_str()));
        agents.collect()
    }

    /// The product tokens that the policy of a capture names before the catalogue's date for the
    /// crawler, each with the month of that date, as in `2023-08`.
    pub fn named_early(&self, entry: &ResolvedCapture) -> Vec<(&str, String)> {
        let Some(time) = entry.fetch_time else {
            return Vec::new();
        };
        let agents = self.agents(entry.policy_id).into_iter();
        let early = agents.filter_map(|(token, _)| {
            let since = *self.known_since.get(token)?;
            let is_early = time.div_euclid(MICROS_PER_DAY) < i64::from(since);
            let since = date32_to_datetime(since).filter(|_| is_early)?;
            Some((token, since.format("%Y-%m").to_string()))
        });
        early.collect()
    }

    /// A policy as text: its groups, in order, with their lines as read. Comments and sitemaps are
    /// not part of it.
    pub fn text(&self, id: i64) -> Option<String> {
        let policy = self.by_id.get(&id)?;
        let mut out = String::new();
        let mut write_lines = |group: Option<i32>, agents: &[String]| {
            let lines = policy.lines.range((group, i32::MIN)..=(group, i32::MAX));
            let mut lines = lines.map(|(_, line)| line).peekable();
            if agents.is_empty() && lines.peek().is_none() {
                return;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            out.extend(agents.iter().map(|agent| format!("User-agent: {agent}\n")));
            out.extend(lines.map(|(name, value)| format!("{name}: {value}\n")));
        };
        write_lines(None, &[]);
        for (index, agents) in &policy.groups {
            write_lines(Some(*index), agents);
        }
        Some(out)
    }
}

type TakeRow<'t> = dyn FnMut(&RecordBatch, usize) + 't;

fn place_of_line(batch: &RecordBatch, row: usize) -> (Option<i32>, i32) {
    let number = small_number(batch, "line_number", row);
    let group = small_number(batch, "group_index", row);
    (group, number.unwrap_or_default())
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Change {
    /// Nothing was known before.
    First,
    /// No change: the same file, or still none.
    Same,
    /// Comments, blank lines or sitemaps changed; the rules are the same.
    File(Difference),
    /// The rules changed, or a file appeared or disappeared.
    Rules(Difference),
}

impl Change {
    pub fn difference(&self) -> Option<&Difference> {
        match self {
            Self::First | Self::Same => None,
            Self::File(difference) | Self::Rules(difference) => Some(difference),
        }
    }
}

/// How two files and their policies differ; the fields are in JSON too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Product tokens that have a group now and had none.
    pub agents_added: Vec<String>,
    pub agents_removed: Vec<String>,
    /// Product tokens with a group before and now whose restriction has changed.
    pub restrictions: Vec<NewRestriction>,
    /// Number of new allow and disallow lines, in any group.
    pub rules_added: usize,
    pub rules_removed: usize,
    pub sitemaps_added: Vec<String>,
    pub sitemaps_removed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewRestriction {
    pub product_token: String,
    pub before: String,
    pub after: String,
}

impl Difference {
    fn of(before: (&Policy, &BTreeSet<String>), now: (&Policy, &BTreeSet<String>)) -> Self {
        let only = |one: &Policy, other: &Policy| -> Vec<String> {
            let tokens = one.agents.keys();
            let tokens = tokens.filter(|it| !other.agents.contains_key(*it));
            tokens.cloned().collect()
        };
        let restrictions = before.0.agents.iter().filter_map(|(token, before)| {
            let after = now.0.agents.get(token).filter(|now| *now != before)?;
            let [product_token, before, after] = [token, before, after].map(String::clone);
            Some(NewRestriction {
                product_token,
                before,
                after,
            })
        });
        let more_rules = |one: &Policy, other: &Policy| -> usize {
            let more = one.rules.iter().map(|(rule, times)| {
                times.saturating_sub(other.rules.get(rule).copied().unwrap_or(0))
            });
            more.sum()
        };
        Self {
            agents_added: only(now.0, before.0),
            agents_removed: only(before.0, now.0),
            restrictions: restrictions.collect(),
            rules_added: more_rules(now.0, before.0),
            rules_removed: more_rules(before.0, now.0),
            sitemaps_added: now.1.difference(before.1).cloned().collect(),
            sitemaps_removed: before.1.difference(now.1).cloned().collect(),
        }
    }
}
