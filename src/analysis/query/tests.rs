//! The pages of cells, rows, views and SQL, and how tables are laid out.

use super::Column;
use super::cell::{csv, html, latex, markdown, tsv};
use super::row::read;
use super::sql::{has_rows, one_line, refusal, statements, typed, value};
use super::table::{to_text, with_constants_below};
use super::views::{is_catalogue_asked, name_of, needed_by};
use crate::tests::{check, optional};

#[test]
fn cells() {
    check(
        "src/analysis/query/cell",
        |question, [cell, ..]| match question {
            "csv-text" => csv(cell, true),
            "csv-number" => csv(cell, false),
            "markdown" => markdown(cell),
            "html" => html(cell),
            "tsv" => tsv(cell),
            "latex" => latex(cell),
            _ => panic!("{question}"),
        },
    );
}

#[test]
fn rows() {
    check("src/analysis/query/row", |_, [line, ids, _]| {
        let are_ids: Vec<bool> = ids.split(' ').map(|it| it == "id").collect();
        let row = read(line.as_bytes(), &are_ids).expect("a row");
        let cells = row
            .iter()
            .map(|cell| format!("[{}] {}", cell.text(), cell.json()));
        cells.collect::<Vec<_>>().join("; ")
    });
    assert!(read(b"[", &[]).is_err());
}

#[test]
fn sql() {
    check(
        "src/analysis/query/sql/mod",
        |question, [sql, ..]| match question {
            "statements" => statements(sql).join(" ; "),
            "one-line" => one_line(sql).unwrap_or_else(|problem| problem),
            "refusal" => optional(refusal(sql)),
            "has-rows" => has_rows(sql).to_string(),
            _ => panic!("{question}"),
        },
    );
}

#[test]
fn literals() {
    check(
        "src/analysis/query/sql/literal",
        |question, [text, sql_type, _]| match question {
            "value" => value(text),
            "parameter" => typed(text, sql_type).unwrap_or_else(|problem| problem),
            _ => panic!("{question}"),
        },
    );
}

const VIEWS: &str = "-- Reads b.\nCREATE OR REPLACE VIEW a AS SELECT 1; -- c
CREATE OR REPLACE VIEW b AS FROM a;
CREATE OR REPLACE MACRO c(x) AS TABLE FROM query('FROM B -- ' || x);
CREATE OR REPLACE MACRO \"d\"(x) AS TABLE FROM a -- b
;
CREATE OR REPLACE VIEW d AS SELECT 2;
SET x = 1;
";

fn needed(script: &str) -> Vec<String> {
    let sql = needed_by(VIEWS, &[script]);
    let names = statements(&sql).into_iter();
    names
        .map(|it| name_of(it).unwrap_or_else(|| "others".to_owned()))
        .collect()
}

#[test]
fn views() {
    check(
        "src/analysis/query/views",
        |question, [text, ..]| match question {
            "needed" => needed(text).join("; "),
            "is-catalogue-asked" => is_catalogue_asked(text).to_string(),
            _ => panic!("{question}"),
        },
    );
}

fn column(name: &str, sql_type: &str) -> Column {
    Column {
        name: name.to_owned(),
        sql_type: sql_type.to_owned(),
    }
}

fn table(columns: &[Column], width: Option<usize>) -> String {
    let cells = ["gptbot, a crawler of OpenAI", "1682", "12.5"];
    let row: Vec<String> = cells
        .iter()
        .take(columns.len())
        .map(|cell| (*cell).to_owned())
        .collect();
    to_text(columns, &[row], width)
}

#[test]
fn every_column_is_shown_however_narrow_the_terminal() {
    let columns = [
        column("agent", "VARCHAR"),
        column("hosts_with_rules", "BIGINT"),
        column("pct", "DOUBLE"),
    ];
    assert_eq!(
        table(&columns, Some(80)),
        "┌─────────────────────────────┬──────────────────┬──────┐\n\
         │ agent                       │ hosts_with_rules │  pct │\n\
         ├─────────────────────────────┼──────────────────┼──────┤\n\
         │ gptbot, a crawler of OpenAI │             1682 │ 12.5 │\n\
         └─────────────────────────────┴──────────────────┴──────┘\n"
    );
    assert_eq!(
        table(&columns, Some(40)),
        "┌──────────────────────┬────────┬──────┐\n\
         │ agent                │ hosts_ │  pct │\n\
         │                      │  with_ │      │\n\
         │                      │  rules │      │\n\
         ├──────────────────────┼────────┼──────┤\n\
         │ gptbot, a crawler of │   1682 │ 12.5 │\n\
         │ OpenAI               │        │      │\n\
         └──────────────────────┴────────┴──────┘\n"
    );
    assert_eq!(
        table(&columns, Some(20)),
        "── row 1 ──\nagent             gptbot, a\n                  crawler of\n                  \
         OpenAI\nhosts_with_rules  1682\npct               12.5\n"
    );
    for width in 1..90 {
        let text = table(&columns, Some(width));
        for piece in ["1682", "12.5", "gptbot", "pct"] {
            assert!(text.contains(piece), "{width}: {text}");
        }
    }
}

#[test]
fn what_all_rows_have_in_common_is_shown_once() {
    let columns = ["product_token", "hosts", "n", "population", "crawl", "note"];
    let columns: Vec<Column> = columns.iter().map(|name| column(name, "VARCHAR")).collect();
    let row = |cells: [&str; 6]| cells.map(str::to_owned).to_vec();
    let rows = vec![
        row(["gptbot", "3", "9", "answered", "july", "a domain"]),
        row(["ccbot", "2", "9", "answered", "july", "NULL"]),
    ];
    let (columns, rows, below) = with_constants_below(&columns, &rows);
    assert_eq!(columns.len(), 2);
    assert_eq!(rows, [["gptbot", "3"], ["ccbot", "2"]]);
    assert_eq!(
        below,
        "n: 9, population: answered, crawl: july\ngptbot: a domain\n"
    );
    // In the user's own SQL, a column `n` stays.
    let own = vec![column("n", "BIGINT")];
    let (own, _, below) = with_constants_below(&own, &[vec!["1".to_owned()]]);
    assert_eq!((own.len(), below.as_str()), (1, ""));
    // A table has a column.
    let all = vec![column("population", "VARCHAR"), column("n", "BIGINT")];
    let row = vec!["x".to_owned(), "5".to_owned()];
    let (all, rows, below) = with_constants_below(&all, std::slice::from_ref(&row));
    assert_eq!((all.len(), rows, below.as_str()), (2, vec![row], ""));
}
