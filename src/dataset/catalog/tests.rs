use super::*;
use crate::cases::check;

const HEADER: &str =
    "product_token,name,operator,purposes,is_ai,fallback_token,obeys_wildcard,since,source\n";

fn read(rows: &str) -> Result<Catalog, String> {
    let text = format!("{HEADER}{rows}");
    Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv")).map_err(|error| error.to_string())
}

/// The crawler of a file with all columns, whose last ten are `end`.
fn read_all(is_ai: bool, end: &str) -> Result<CatalogAgent, String> {
    let header = COLUMNS.join(",");
    let text = format!("{header}\na,A,,ai other,{is_ai},,true,,https://a.example/,{end}\n");
    Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv"))
        .map(|catalog| catalog.0["a"].clone())
        .map_err(|error| error.to_string())
}

/// What the shipped catalogue says of itself.
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
        let mut agents = catalog.0.values();
        assert!(agents.any(|it| it.purposes[0] == category), "{category}");
    }
    let is_url = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    // Between the first robot exclusion list and the day this catalogue was reviewed.
    let plausible = day("1994-01-01")..=day(VERSION);
    for (token, agent) in &catalog.0 {
        let is_known = catalog.check_references(token, Path::new("agents.csv"));
        is_known.expect("a fallback and a successor in the catalogue");
        let sources = [
            &agent.since_source,
            &agent.obeys_robots_source,
            &agent.statement_source,
        ];
        let sources = sources.into_iter().flatten().chain([&agent.source]);
        assert!(sources.map(String::as_str).all(is_url), "{token}");
        let name = String::from_utf8_lossy(product_token(agent.name.as_bytes()));
        assert_eq!(name.to_ascii_lowercase(), *token, "the name is the token");
        let has_ai_purpose = agent.purposes.iter().any(|it| it.starts_with("ai "));
        assert!(agent.is_ai || !has_ai_purpose, "{token}");
        for (one, other) in [
            (agent.since.is_some(), agent.since_source.is_some()),
            (
                agent.obeys_robots.is_some(),
                agent.obeys_robots_date.is_some(),
            ),
            (agent.is_ai, agent.is_ai_basis.is_some()),
            (
                agent.statement_source.is_some(),
                agent.statement_date.is_some(),
            ),
        ] {
            assert_eq!(one, other, "{token}: both or neither");
        }
        let words = agent.operator_statement.as_deref().unwrap_or_default();
        assert!(words.split_whitespace().count() <= 30, "{token}: {words}");
        assert!(
            agent.since.is_none_or(|it| plausible.contains(&Some(it))),
            "{token}"
        );
        for it in [agent.obeys_robots_date, agent.statement_date] {
            assert!(it <= day(VERSION), "{token}: no later than the version");
        }
        let is_retired = agent.status == Some("retired");
        assert!(!is_retired || agent.obeys_robots != Some("yes"), "{token}");
        assert_eq!(agent.version, Some(VERSION));
    }
}

#[test]
fn a_file_may_have_statements_and_successors() {
    let stated = ",,,,,,operator,\"We index, we rank.\",https://a.example/bot,2026-11-23";
    let agent = read_all(true, stated).expect("a row");
    let words = agent.operator_statement.as_deref();
    assert_eq!(words, Some("We index, we rank."));
    let renamed = read_all(true, "renamed,,,,,gptbot,,,,").map(|it| it.status);
    assert_eq!(renamed, Ok(Some("renamed")));
}

#[test]
fn a_file_may_say_whether_a_crawler_obeys() {
    let end = "retired,,may not,2026-02-28,https://a.example/bot,,,,,";
    let agent = read_all(false, end).expect("a row");
    assert_eq!(
        (agent.status, agent.obeys_robots),
        (Some("retired"), Some("may not"))
    );
    assert_eq!(
        (agent.obeys_robots_date, agent.version),
        (Some(20_512), None)
    );
    let silent = read_all(false, ",,,,,,,,,").expect("a row");
    assert_eq!(silent.obeys_robots, None);
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
    assert_eq!(catalog.0["mybot"].operator.as_deref(), Some("Me, Inc."));
    assert_eq!(catalog.0["mybot"].since, Some(20_512));
    assert_eq!(catalog.0["gptbot"].purposes, ["ai search", "other"]);
    assert!(!catalog.0["gptbot"].obeys_wildcard);
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
        _ => read_all(question == "ai", text).expect_err(text),
    });
}

#[test]
fn files_that_are_no_catalogue_are_refused() {
    let mut text = HEADER.as_bytes().to_vec();
    text.extend_from_slice(b"caf\xe9,Caf\xe9,,other,false,,true,,x\n");
    let error = Catalog::shipped_with(&text, Path::new("mine.csv")).expect_err("Latin-1");
    assert!(
        error.to_string().contains("mine.csv:2: not UTF-8"),
        "{error}"
    );
    let error =
        Catalog::shipped_with(b"token,name\n", Path::new("mine.csv")).expect_err("another header");
    assert!(
        error
            .to_string()
            .contains("mine.csv:1: the header must be product_token,name,"),
        "{error}"
    );
    assert!(
        Catalog::shipped_with(b"", Path::new("mine.csv")).is_err(),
        "no header"
    );
}

#[test]
fn a_byte_order_mark_and_crlf_are_no_trouble() {
    let row = "mybot,MyBot,,other,false,,true,,https://my.example/\n";
    let text = format!("\u{feff}{HEADER}{row}").replace('\n', "\r\n");
    let catalog = Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv")).expect("rows");
    assert!(catalog.0.contains_key("mybot"));
}
