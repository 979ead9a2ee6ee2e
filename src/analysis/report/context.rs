//! The context of a section's answer: the section, its answers, and data that all sections share.

use super::answer::{Answer, Cell, Row, most};
use super::crawls::Crawl;
use super::figure::{Bar, Ink};
use super::format::Share;
use super::options::ReportOptions;
use super::section::{Column, Pick, Section};
use super::words::{self, Agents};

/// The fewest hosts that a share may be based on.
pub(super) const MIN_HOSTS: f64 = 30.0;

#[derive(Debug, Clone, Copy)]
pub(super) struct ReportContext<'a> {
    pub(super) crawls: &'a [Crawl],
    /// The label of the crawl that the last one is compared with.
    pub(super) before: &'a str,
    /// Why no change between these two crawls can be reported; `None` if changes can.
    pub(super) no_change: Option<&'a str>,
    /// A sentence on the order of these crawls, for claims about changes; empty if it is certain.
    pub(super) order: &'a str,
    pub(super) agents: &'a Agents,
    pub(super) options: &'a ReportOptions,
    /// How far the AI crawler that the most websites block by name is ahead of the next, on the
    /// same websites: a row of `agent-panel`, whose change is the difference.
    pub(super) lead: Option<Row<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) report: &'a ReportContext<'a>,
    pub(super) section: &'static Section,
    pub(super) answer: &'a Answer,
    pub(super) domains: Option<&'a Answer>,
}

/// A row of an answer, and the same row of the answer by registrable domain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) host: Row<'a>,
    pub(super) domain: Option<Row<'a>>,
}

impl Pair<'_> {
    /// The share by website if that is known, else by host.
    pub(super) fn share(self, column: &str) -> Option<Share> {
        share_of(self.domain.unwrap_or(self.host), column)
    }
}

pub(super) fn share_of(row: Row<'_>, column: &str) -> Option<Share> {
    row.number(column)?;
    Some(row.pct(column))
}

impl<'a> Context<'a> {
    pub(super) fn last(&self) -> &'a str {
        self.report.crawls.last().map_or("", |crawl| &crawl.label)
    }

    /// The answer by website if there is one, else by host.
    pub(super) fn by_domain(&self) -> &'a Answer {
        self.domains.unwrap_or(self.answer)
    }

    pub(super) fn pair(&self, row: Row<'a>) -> Pair<'a> {
        let key = row.key(self.section.count);
        let is_same = |it: &Row<'_>| key.iter().all(|name| it.value(name) == row.value(name));
        let domain = self.domains.and_then(|it| it.rows().find(is_same));
        Pair { host: row, domain }
    }

    fn is_met(&self, pick: &Pick, row: Row<'_>) -> bool {
        pick.conditions.iter().all(|(column, sign, value)| {
            let is_same = || {
                let value = match (*column, *value) {
                    ("crawl", "last") => self.last().to_owned(),
                    ("crawl", "before") => self.report.before.to_owned(),
                    (_, "null") => return row.optional_text(column).is_none(),
                    (_, value) => value.replace('_', " "),
                };
                let own = row.optional_text(column);
                own.is_some_and(|it| it == value.as_str() || it.replace('_', " ") == value)
            };
            match sign {
                '=' => is_same(),
                '!' => !is_same(),
                _ => row.number(column) > value.parse().ok(),
            }
        })
    }

    /// Of the rows that meet the conditions: the first, or the one with the largest value or share.
    pub(super) fn pick(&self, pick: &Pick) -> Option<Row<'a>> {
        let mut rows = self.answer.rows().filter(|row| self.is_met(pick, *row));
        let Some(column) = pick.most else {
            return rows.next();
        };
        let share = |row| Some(self.pair(row).share(self.section.share)?.value);
        most(rows, |row| {
            let number = match column {
                "share" => share(*row),
                column => row.number(column),
            };
            number.unwrap_or(f64::NEG_INFINITY)
        })
    }

    /// Whether the table and the figure show a row.
    pub(super) fn is_kept(&self, row: &Row<'_>) -> bool {
        self.is_met(&self.section.keep, *row)
    }

    /// The share of the hosts that are in every crawl, if there are enough for a share.
    pub(super) fn of_the_same(&self, row: Row<'_>) -> Option<Share> {
        let share = share_of(row, Some(self.section.same).filter(|it| !it.is_empty())?)?;
        (row.count("n_balanced") >= MIN_HOSTS).then_some(share)
    }

    pub(super) fn bar(&self, token: &str, shares: Vec<Option<Share>>) -> Bar {
        Bar {
            name: self.agent(token),
            ink: self.ink(token),
            shares,
        }
    }

    pub(super) fn agent(&self, token: &str) -> String {
        self.report.agents.name(token)
    }

    /// The colour of a crawler, the same in all figures; grey for crawlers of no special interest.
    pub(super) fn ink(&self, token: &str) -> Ink {
        let mut coloured = self.report.agents.coloured.iter();
        let place = coloured.position(|it| it == token);
        place.map_or(Ink::Other, Ink::Series)
    }

    pub(super) fn words(&self, group: &str, text: &str) -> String {
        match group {
            "" => text.to_owned(),
            "crawler" => self.agent(text),
            "counted" => {
                let inner = text.strip_prefix("blocking ");
                match inner.and_then(|it| it.strip_suffix(" by name")) {
                    Some(token) => format!("hosts that block {} by name", self.agent(token)),
                    None => words::of(group, text),
                }
            }
            group => words::of(group, text),
        }
    }

    pub(super) fn name(&self, columns: &[Column], join: &str, row: Row<'_>) -> String {
        let parts = columns.iter().filter_map(|column| {
            let text = row.value(column.name).map(Cell::text)?;
            Some(self.words(column.words, &text)).filter(|it| !it.is_empty() && it != "null")
        });
        let between = match join {
            "" => ": ".to_owned(),
            word => format!(", {word} "),
        };
        parts.collect::<Vec<_>>().join(&between)
    }

    /// The colour of a row in a figure: the crawler's if the row is about a crawler.
    pub(super) fn ink_of(&self, columns: &[Column], row: Row<'_>) -> Ink {
        match columns {
            [column] if column.words == "crawler" => self.ink(&row.text(column.name)),
            _ => Ink::Series(0),
        }
    }
}
