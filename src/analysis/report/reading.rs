//! The findings of sections: the texts of `texts/`, filled with the values of answers.

use super::answer::Cell;
use super::chapters::{self, Evidence, drawable, in_crawl};
use super::context::{Context, MIN_HOSTS, Pair, share_of};
use super::figure::{Figure, Plot};
use super::finding::{Finding, Omission};
use super::format::units;
use super::table::ReportTable;
use super::template::{self, Value};
use super::{summary, words};
use crate::error::Error;

/// The section with its answers, or why it is left out.
///
/// [`Error::DuckDbFailed`]: a text or a reader needs a value that the answer does not have.
pub(super) fn read(context: &Context<'_>) -> Result<Result<Finding, Omission>, Error> {
    let section = context.section;
    let omission = |reason| Omission { section, reason };
    let found = finding(context);
    let lead = context.report.lead.map(|row| row.answer);
    let answers = [Some(context.answer), context.domains, lead];
    for answer in answers.into_iter().flatten() {
        if let Some(reason) = answer.check()? {
            return Ok(Err(omission(reason)));
        }
    }
    Ok(found.map_err(omission))
}

fn finding(context: &Context<'_>) -> Result<Finding, String> {
    let section = context.section;
    let no_claim = context.answer.no_claim();
    if let Some(reason) = no_claim.filter(|_| section.share == "change") {
        return Err(reason);
    }
    let rows = context.answer.rows();
    let n_kept = rows.filter(|row| context.is_kept(row)).count();
    let reason = || {
        let is_none = !section.none.is_empty() && n_kept == 0;
        if is_none { section.none } else { section.empty }.to_owned()
    };
    if !section.partial.is_empty() && (1..context.answer.rows.len()).contains(&n_kept) {
        return Err(section.partial.to_owned());
    }
    let reader = chapters::reader(section.reader);
    let found = reader.and_then(|reader| reader(context));
    let text = Text {
        context,
        found: &found.ok_or_else(reason)?,
    };
    text.check();
    text.floor()?;
    let headline = text.fill(section.headline).ok_or_else(reason)?;
    let filled = |template| text.fill(template).unwrap_or_default();
    let sentences = section.sentences.iter();
    Ok(Finding {
        section,
        answer: context.answer.clone(),
        by_domain: context.domains.cloned(),
        headline: match headline.strip_prefix("the ") {
            Some(rest) => format!("The {rest}"),
            None => headline,
        },
        below: capitalised(filled(text.below()) + text.order()),
        sentences: sentences.filter_map(|it| text.fill(it)).collect(),
        about: filled(section.about),
        interest: text.interest(),
        figure: text.found.plot.as_ref().map(|plot| {
            let (measure, axis) = (filled(section.figure), filled(section.axis));
            Figure::of(section.id, measure, axis, plot)
        }),
        table: ReportTable::of(context),
    })
}

fn capitalised(text: String) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(characters).collect(),
        _ => text,
    }
}

struct Text<'t, 'a> {
    context: &'t Context<'a>,
    found: &'t Evidence<'a>,
}

impl Text<'_, '_> {
    fn fill(&self, template: &str) -> Option<String> {
        let words = |group: &str, text: &str| self.context.words(group, text);
        let filled = template::fill(template, &|name| self.value(name), &words);
        filled.filter(|text| !text.is_empty())
    }

    fn value(&self, name: &str) -> Option<Value> {
        let given = self.found.values.iter().find(|(given, _)| *given == name);
        if let Some((_, value)) = given {
            return value.clone();
        }
        let report = self.context.report;
        let text = |text: &str| Some(Value::Text(text.to_owned()));
        match name {
            "crawl" => return text(self.context.last()),
            "before" => return text(report.before),
            // With two crawls, the first crawl is `before`.
            "first" if report.crawls.len() < 3 => return None,
            "first" => return text(&report.crawls[0].label),
            // With two crawls, this is `before` too.
            "previous" => return text(&report.crawls.iter().rev().nth(1)?.label),
            // Edits are in the order of their captures, whether crawls overlap or not.
            "order" => {
                let has_times = report.crawls.iter().all(|crawl| crawl.day.is_some());
                return text(if has_times { "" } else { report.order });
            }
            "no_change" => return text(report.no_change?),
            // Marks text in brackets as about hosts, or as about the sites of a list.
            "of_hosts" => return text("").filter(|_| report.options.sites.is_none()),
            "of_sites" => return text("").filter(|_| report.options.sites.is_some()),
            "drawn" | "drawn_of" => return self.drawn(name == "drawn_of").map(Value::Number),
            _ => {}
        }
        let lead = self.found.lead?;
        let Some((named, column)) = name.split_once('.') else {
            return self.value_of(lead, name);
        };
        let row = match named {
            // The lead by host, if it is known by website too.
            "host" => {
                let (host, domain) = (lead.host, None);
                return self.value_of(Pair { host, domain }, column);
            }
            "before" => in_crawl(self.context.section, lead.host, report.before),
            named => self.context.pick(self.context.section.rows.get(named)?),
        };
        // The headline already states the values of its own row.
        let row = row.filter(|row| !row.is_same(lead.host))?;
        self.value_of(self.context.pair(row), column)
    }

    /// A value of a row: a column, or a value made from the column of the section's share.
    fn value_of(&self, pair: Pair<'_>, name: &str) -> Option<Value> {
        let (section, host) = (self.context.section, pair.host);
        match name {
            "share" => pair.share(section.share).map(Value::Share),
            "host_share" => share_of(host, section.share).map(Value::Share),
            "hosts" => host.number(section.count).map(Value::Number),
            "change" => share_of(host, name).map(Value::Share),
            "same" => self.context.of_the_same(host).map(|_| {
                let sites = self.context.report.options.sites.as_ref();
                let same = sites.map_or("of the same hosts", |_| "of the same sites");
                Value::Text(same.to_owned())
            }),
            name if name.starts_with("pct") => pair.share(name).map(Value::Share),
            name => match host.cell(name)? {
                cell if cell.is_text() => Some(Value::Text(cell.text().into_owned())),
                cell => cell.number().map(Value::Number),
            },
        }
    }

    /// The number of panels drawn, or of all that could be drawn; `None` if all are drawn.
    fn drawn(&self, is_of_all: bool) -> Option<f64> {
        let Some(Plot::Panels { panels, .. }) = &self.found.plot else {
            return None;
        };
        let all = drawable(self.context).count();
        let number = if is_of_all { all } else { panels.len() };
        (all > panels.len()).then(|| units(number))
    }

    fn below(&self) -> &'static str {
        let section = self.context.section;
        match (section.below, section.by) {
            ("", "domain") => words::text("below", "both"),
            ("", _) => words::text("below", "one"),
            (own, _) => own,
        }
    }

    fn order(&self) -> &str {
        match self.context.section.needs {
            "crawls" | "dates" => self.context.report.order,
            _ => "",
        }
    }

    /// Fails with the reason if the share is based on too few hosts or websites.
    fn floor(&self) -> Result<(), String> {
        let column = self.context.section.share;
        let Some(lead) = self.found.lead.filter(|_| !column.is_empty()) else {
            return Ok(());
        };
        let share = lead.share(column);
        let query = self.context.answer.query;
        let share = share.ok_or_else(|| format!("the query {query} has no value in {column}"))?;
        let reason = if lead.host.number("n").is_some_and(|n| n < MIN_HOSTS) {
            "few hosts"
        } else if share
            .no_interval
            .is_some_and(|reason| reason.starts_with("too few"))
        {
            "few websites"
        } else {
            return Ok(());
        };
        Err(self
            .fill(words::text("left out", reason))
            .unwrap_or_default())
    }

    /// The weight for the summary: `None` if the smaller group has fewer than ten members, or the
    /// interval of a change contains 0.
    fn interest(&self) -> Option<f64> {
        let mut weight = self.context.section.weight;
        let lead = self.found.lead.filter(|_| weight > 0.0)?;
        let share = lead.share(self.context.section.share);
        let is_change = self.context.section.share == "change";
        if let Some(change) = share.filter(|_| is_change) {
            weight = summary::beyond(weight, change)?;
        }
        let n = lead.host.number("n")?;
        let count = lead.host.number(self.context.section.count)?;
        let is_enough =
            |n: f64, count: f64| n >= MIN_HOSTS && count.min(n - count) >= summary::SMALLER_GROUP;
        // The same for websites, if their number is known.
        let share = share.filter(|_| !is_change);
        let websites = lead.host.value("n_domains").and_then(Cell::number);
        let is_enough_too = websites.is_none_or(|n| match share {
            Some(share) => is_enough(n, share.value * n / 100.0),
            None => n >= MIN_HOSTS,
        });
        (is_enough(n, count) && is_enough_too).then_some(weight)
    }

    /// Checks that the texts use every value of the reader.
    fn check(&self) {
        let texts = self.context.section.templates().chain([self.below()]);
        let names: Vec<&str> = texts.flat_map(template::names).collect();
        for (name, _) in &self.found.values {
            debug_assert!(
                names.contains(name),
                "{}: no text has {name}",
                self.context.section.id
            );
        }
    }
}
