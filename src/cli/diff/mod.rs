//! `robostat diff`: the meaning of a change of a robots.txt, for each crawler.

mod arguments;
mod change;
mod effects;
mod side;
mod text;

use std::fs;
use std::time::Instant;

use indexmap::IndexMap;
use indicatif::{HumanBytes, HumanCount};
use robots_dialects::comparison::{Class, Policy, compare_crawlers, compare_dialects};
use robots_dialects::dialect::{Crawler, Dialect};
use robots_dialects::document::Document;
use serde_json::{Value, json};

use super::outcome::{COMPLETE, Result, print_json, print_text, usage};
use super::signals;
use super::summary;
use crate::analysis::policy_diffs::policy_diffs;
use crate::byte_order_mark::without_bom;
use crate::dataset::tables::policy_diffs::FILE;
use crate::dataset::{Dataset, is_dataset};
use crate::error::Error;
use crate::threads;

pub(super) use arguments::DiffArguments;
pub(super) use effects::effects;

use change::{OtherChanges, names, outcomes};
use side::sides;
use text::{BASE, Subject};

/// With `--exit-code`: something changes for a crawler, or a comparison is undecided.
const DIFFERENT: u8 = 4;

pub(super) fn run(arguments: &DiffArguments) -> Result<u8> {
    if arguments.new.is_none() && arguments.host.is_none() && is_dataset(&arguments.old) {
        return compare_dataset(arguments);
    }
    if let Some(new) = &arguments.new
        && (is_dataset(&arguments.old) || is_dataset(new))
    {
        return usage("a dataset is compared alone, or with --host SITE, and not with a file");
    }
    let subject = match (&arguments.new, &arguments.host) {
        (None, None) => Subject::Dialects,
        _ => Subject::Change,
    };
    let mut dialects = arguments.dialect.to_vec();
    dialects.retain(|it| subject == Subject::Change || *it != BASE);
    if dialects.is_empty() {
        return usage("NEW is missing; with one file, use --dialect all");
    }
    let sides = sides(arguments)?;
    let list = arguments.urls.as_ref();
    let list = list.map(|path| fs::read(path).map_err(Error::io(path)));
    let list = list.transpose()?;
    let urls = list.as_deref().map(urls_of);
    let documents = sides.each_ref().map(|side| {
        let body = side.body.as_deref().unwrap_or_default();
        Document::read_whole(body)
    });
    let documents = documents.each_ref();
    let tokens = names(documents);
    let asked: Vec<Crawler<'_>> = if arguments.agent.is_empty() {
        let named = tokens.iter().map(|token| Crawler::Named(token));
        named.chain([Crawler::Other]).collect()
    } else {
        let agents = arguments.agent.iter();
        agents.map(|it| Crawler::Named(it.as_bytes())).collect()
    };

    let mut classes: Vec<Class> = Vec::new();
    let mut answers: IndexMap<String, Vec<Dialect>> = IndexMap::new();
    let mut comparisons: Vec<Value> = Vec::new();
    for dialect in dialects {
        let read_by = match subject {
            Subject::Change => [dialect, dialect],
            Subject::Dialects => [BASE, dialect],
        };
        let rulesets = [0, 1].map(|side| sides[side].compile(read_by[side]));
        let policies =
            [0, 1].map(|side| sides[side].policy(rulesets[side].as_ref(), read_by[side]));
        let crawlers = asked.iter().copied();
        let compared = match (subject, policies) {
            (Subject::Dialects, [Policy::Rules(old), Policy::Rules(new)]) => {
                compare_dialects(old, new, crawlers)
            }
            _ => compare_crawlers(policies[0], policies[1], crawlers),
        };
        classes.extend(compared.iter().map(|it| it.comparison.class));
        let outcomes = outcomes(compared, policies, urls.as_deref());
        if arguments.summary.json {
            comparisons.extend(outcomes.iter().map(|it| it.json(dialect)));
        } else {
            let n_urls = urls.as_ref().map_or(0, Vec::len);
            let answer = text::crawlers_text(subject, &outcomes, n_urls, &sides);
            answers.entry(answer).or_default().push(dialect);
        }
    }
    let others = OtherChanges::of(documents, &asked);
    let class = Class::of_all(classes);
    let is_equal = class == Class::Equal;
    let code = if arguments.exit_code && !is_equal {
        DIFFERENT
    } else {
        COMPLETE
    };
    if arguments.summary.json {
        let mut value = json!({
            "old": sides[0].name,
            "new": sides[1].name,
            "old_is_cut": sides[0].is_cut,
            "new_is_cut": sides[1].is_cut,
            "class": class.name(),
            "is_equal": is_equal,
            "comparisons": comparisons,
        });
        if subject == Subject::Dialects {
            value["old_dialect"] = BASE.name().into();
        }
        others.add_to(&mut value);
        print_json(&value)?;
    } else if !arguments.summary.quiet {
        let n_asked = asked.len();
        print_text(&text::of(subject, &sides, &answers, &others, n_asked))?;
    }
    Ok(code)
}

fn urls_of(list: &[u8]) -> Vec<&[u8]> {
    let lines = without_bom(list).split(|byte| *byte == b'\n');
    let urls = lines.map(<[u8]>::trim_ascii);
    urls.filter(|url| !url.is_empty()).collect()
}

fn compare_dataset(arguments: &DiffArguments) -> Result<u8> {
    if !arguments.agent.is_empty() || arguments.urls.is_some() || arguments.exit_code {
        return usage(
            "--agent, --urls and --exit-code are for two files; a dataset is compared for every \
             crawler, in the table policy_diffs",
        );
    }
    let begun = Instant::now();
    let pool = threads::pool(threads::available())?;
    let mut dataset = Dataset::reopen(&arguments.old, pool)?;
    let done = policy_diffs(&mut dataset, arguments.dialect, signals::watch()?)?;
    let json = json!({
        "path": FILE,
        "pairs": done.pairs,
        "rows": done.rows,
        "bytes": done.bytes,
    });
    summary::print(arguments.summary, begun, json, |lines, elapsed| {
        let (rows, bytes) = (HumanCount(done.rows), HumanBytes(done.bytes));
        lines.add("pairs", HumanCount(done.pairs));
        lines.add("rows", format_args!("{rows} in {FILE} ({bytes})"));
        lines.add_time(elapsed);
    })?;
    Ok(COMPLETE)
}
