use arrow_array::cast::AsArray as _;
use arrow_array::types::Date32Type;

use super::*;
use crate::dataset::stored;
use crate::tests::{bytes, check};

const HEADER: &str =
    "product_token,name,operator,purposes,is_ai,fallback_token,obeys_wildcard,since,source\n";

fn read(rows: &str) -> Result<Catalog, String> {
    let text = format!("{HEADER}{rows}");
    Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv")).map_err(|error| error.to_string())
}

/// The catalogue of a file with all columns, whose last ten are `end`.
fn read_all(is_ai: bool, end: &str) -> Result<Catalog, String> {
    let header = COLUMNS.join(",");
    let text = format!("{header}\na,A,,ai other,{is_ai},,true,,https://a.example/,{end}\n");
    Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv")).map_err(|error| error.to_string())
}

/// The shipped catalogue keeps its own rules.
#[test]
fn the_shipped_catalogue_is_sound() {
    let catalog = Catalog::shipped().expect("a catalogue");
    assert!(catalog.0.len() >= 200, "{} crawlers", catalog.0.len());
    let rows = SHIPPED.lines().skip(1);
    let tokens: Vec<&str> = rows.filter_map(|line| line.split(',').next()).collect();
    assert!(tokens.is_sorted(), "rows are sorted by product token");
    assert_eq!(tokens.len(), catalog.0.len(), "no token twice");
    assert_eq!(catalog.rows().num_rows(), catalog.0.len());
    for category in CATEGORIES {
        let mut rows = catalog
            .0
            .values()
            .map(|entry| entry.row(|row| row.category == category));
        assert!(rows.any(|it| it == Ok(true)), "{category}");
    }
    let is_url = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    // Between the first robot exclusion list and the day this catalogue was reviewed.
    let plausible = day("1994-01-01")..=day(VERSION);
    for (token, entry) in &catalog.0 {
        let is_known = catalog.check_references(token, Path::new("agents.csv"));
        is_known.expect("a fallback and a successor in the catalogue");
        let checked = entry.row(|row| {
            let sources = [
                row.since_source,
                row.obeys_robots_source,
                row.statement_source,
            ];
            let mut sources = sources.into_iter().flatten().chain([row.source]);
            assert!(sources.all(is_url), "{token}");
            let name = String::from_utf8_lossy(product_token(row.name.as_bytes()));
            assert_eq!(name.to_ascii_lowercase(), *token, "the name is the token");
            let has_ai_purpose = row.purposes.iter().any(|it| it.starts_with(b"ai "));
            assert!(row.is_ai || !has_ai_purpose, "{token}");
            for (one, other) in [
                (row.since.is_some(), row.since_source.is_some()),
                (row.obeys_robots.is_some(), row.obeys_robots_date.is_some()),
                (row.is_ai, row.is_ai_basis.is_some()),
                (row.statement_source.is_some(), row.statement_date.is_some()),
            ] {
                assert_eq!(one, other, "{token}: both or neither");
            }
            let words = row.operator_statement.unwrap_or_default();
            assert!(words.split_whitespace().count() <= 30, "{token}: {words}");
            let since = row.since;
            assert!(
                since.is_none_or(|it| plausible.contains(&Some(it))),
                "{token}"
            );
            for it in [row.obeys_robots_date, row.statement_date] {
                assert!(it <= day(VERSION), "{token}: no later than the version");
            }
            let is_retired = row.status == Some("retired");
            assert!(!is_retired || row.obeys_robots != Some("yes"), "{token}");
            assert_eq!(row.catalog_version, Some(VERSION));
        });
        checked.expect("a row");
    }
}

#[test]
fn rows_are_added_and_replaced() {
    let catalog = read(
        "mybot,MyBot,\"Me, Inc.\",other,false,gptbot,true,2026-02-28,https://my.example/\n\
         gptbot,GPTBot,OpenAI,ai search; other,true,,false,,https://my.example/\n",
    )
    .expect("a catalogue");
    let shipped = Catalog::shipped().expect("a catalogue");
    assert_eq!(catalog.0.len(), shipped.0.len() + 1);
    let rows = catalog.rows();
    let row = |token: &str| catalog.0.keys().position(|it| it == token).expect("a row");
    let value = |token, column: &str| stored::value(rows[column].as_string::<i32>(), row(token));
    assert_eq!(value("mybot", "operator"), Some("Me, Inc."));
    assert_eq!(value("mybot", "catalog_version"), None);
    assert_eq!(value("gptbot", "category"), Some("ai search"));
    let since = rows["since"].as_primitive::<Date32Type>();
    assert_eq!(since.value(row("mybot")), 20_512);
    let purposes = rows["purposes"].as_list::<i32>().value(row("gptbot"));
    let purposes: Vec<_> = purposes.as_string::<i32>().iter().flatten().collect();
    assert_eq!(purposes, ["ai search", "other"]);
    assert!(!rows["obeys_wildcard"].as_boolean().value(row("gptbot")));
    assert_eq!(catalog.0["ccbot"], shipped.0["ccbot"]);
    assert_eq!(read(""), Ok(shipped), "no rows change nothing");
}

#[test]
fn cases() {
    check(file!(), |question, [text, ..]| match question {
        "row" => {
            let good = "mybot,MyBot,,other,false,,true,,https://my.example/";
            read(&format!("{good}\n{text}\n")).expect_err(text)
        }
        "given" => {
            let catalog = read_all(true, text).expect(text);
            let given = COLUMNS[NEEDED_COLUMNS..].iter();
            let given = given.filter_map(|column| Some((column, catalog.0["a"].text(column)?)));
            let given = given.map(|(column, value)| format!("{column} {value}"));
            given.collect::<Vec<_>>().join("; ")
        }
        "file" => match Catalog::shipped_with(&bytes(text), Path::new("mine.csv")) {
            Ok(catalog) => catalog.0["mybot"].value("name").to_owned(),
            Err(error) => error.to_string(),
        },
        _ => read_all(question == "ai", text).expect_err(text),
    });
}
