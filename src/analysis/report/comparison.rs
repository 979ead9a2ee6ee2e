//! What changed against another dataset: one figure of a query, there and here.

use std::collections::BTreeMap;

use crate::analysis::query::Column;
use crate::analysis::query::shipped::ShippedQuery;

use super::Finding;
use super::answer::{Answer, Cell, heading};
use super::section::Section;

/// What the chapter of comparisons says of itself.
pub(super) const ABOUT: &str = "The same queries, put to this dataset and to the one that was given as baseline, each by \
its last crawl where a query is about one. Rows that only one of them has are left out. Differences \
are this one less the baseline; whether they mean anything depends on how alike the two corpora are.";

/// The comparison of two answers to the query of a section; none where it has none, or where
/// they have no row in common.
pub(super) fn compare(
    section: &'static Section,
    shipped: &'static ShippedQuery,
    here: &Answer,
    there: &Answer,
) -> Option<Finding> {
    let (keys, value) = section.compare?;
    let before = by_key(there, keys, value)?;
    let mut rows: Vec<(f64, Vec<Cell>)> = Vec::new();
    for (key, (cells, now)) in by_key(here, keys, value)? {
        if let Some((_, then)) = before.get(&key) {
            let mut row = cells;
            row.extend([then, &now, &(now - then)].map(|number| Cell::of_number(*number)));
            rows.push(((now - then).abs(), row));
        }
    }
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (_, first) = rows.first()?;
    let n_keys = keys.len();
    let sentence = format!(
        "The largest difference in {}: {}, from {} to {}.",
        heading(value),
        first[..n_keys]
            .iter()
            .map(|cell| cell.text())
            .collect::<Vec<_>>()
            .join(", "),
        first[n_keys].shown(value),
        first[n_keys + 1].shown(value)
    );
    let column = |name: String, sql_type: &str| Column {
        name,
        sql_type: sql_type.to_owned(),
    };
    let names = [
        format!("{value}_of_baseline"),
        value.to_owned(),
        "difference".to_owned(),
    ];
    let columns = keys.iter().map(|key| column((*key).to_owned(), "VARCHAR"));
    let answer = Answer {
        columns: columns
            .chain(names.map(|name| column(name, "DOUBLE")))
            .collect(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    };
    Some(Finding {
        section: &COMPARED,
        shipped,
        id: format!("baseline-{}", section.id()),
        title: section.title.to_owned(),
        sentences: vec![sentence],
        shown: answer.clone(),
        answer,
        command: super::command(section, shipped, false),
    })
}

/// What a comparison has of a section: a table of everything, largest differences first.
static COMPARED: Section = Section {
    rows: 15,
    ..super::section::PLAIN
};

/// A row's key as it stands in the answer, and its value.
type Keyed = (Vec<Cell>, f64);

/// The rows of an answer by some columns: these and the value; the last of several.
fn by_key(answer: &Answer, keys: &[&str], value: &str) -> Option<BTreeMap<Vec<String>, Keyed>> {
    let keys: Option<Vec<usize>> = keys.iter().map(|key| answer.column(key)).collect();
    let (keys, value) = (keys?, answer.column(value)?);
    let mut rows = BTreeMap::new();
    for row in &answer.rows {
        let cells: Vec<Cell> = keys.iter().map(|key| row[*key].clone()).collect();
        let key = cells.iter().map(|cell| cell.text().into_owned()).collect();
        if let Some(number) = row[value].number() {
            rows.insert(key, (cells, number));
        }
    }
    Some(rows)
}
