use super::*;

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
fn operators_fallbacks_and_exceptions_are_known() {
    let catalog = Catalog::shipped().expect("a catalogue");
    for (token, fallback) in [
        ("applebot", Some("googlebot")),
        ("googlebot-image", Some("googlebot")),
        ("googlebot-news", Some("googlebot")),
        ("googlebot-video", Some("googlebot")),
        ("googlebot", None),
        ("gptbot", None),
    ] {
        assert_eq!(
            catalog.0[token].fallback_token.as_deref(),
            fallback,
            "{token}"
        );
    }
    for token in ["adsbot-google", "mediapartners-google"] {
        assert!(!catalog.0[token].obeys_wildcard, "{token}");
    }
    assert!(catalog.0["gptbot"].obeys_wildcard);
    assert!(catalog.0.contains_key("mj12bot"));
}

/// Facts that studies rely on, each as its operator documents it.
#[test]
fn the_shipped_catalogue_knows_who_obeys() {
    let catalog = Catalog::shipped().expect("a catalogue");
    for (token, obeys, status) in [
        ("gptbot", Some("yes"), Some("active")),
        ("chatgpt-user", Some("may not"), Some("active")),
        ("perplexity-user", Some("no"), Some("active")),
        ("meta-externalfetcher", Some("may not"), Some("active")),
        ("google-notebooklm", Some("no"), Some("renamed")),
        ("bytespider", Some("undocumented"), None),
        ("anthropic-ai", Some("undocumented"), Some("retired")),
        ("claude-web", Some("undocumented"), Some("retired")),
        ("mj12bot", None, None),
    ] {
        let agent = &catalog.0[token];
        assert_eq!(
            (agent.obeys_robots, agent.status),
            (obeys, status),
            "{token}"
        );
    }
    assert_eq!(
        catalog.0["meta-externalfetcher"].purposes,
        ["ai user action"]
    );
    let others = "oai-adsbot cloudflarebrowserrenderingcrawler google-cws awario channel3bot \
        cloudvertexbot crawl4ai imagespider kendrabot iboubot aisearchbot extecontextcrawl \
        flyriverbot semantic-visions taragroup imagemind linkreader";
    for token in others.split(' ') {
        assert!(catalog.0.contains_key(token), "{token}");
    }
    let ai = catalog.0.values().filter(|agent| agent.is_ai);
    let (known, unknown): (Vec<_>, Vec<_>) = ai.partition(|agent| agent.since.is_some());
    assert!(
        known.len() > 160 && unknown.len() <= 9,
        "{} {}",
        known.len(),
        unknown.len()
    );
}

/// Kinds of crawlers follow the operators' own words, where there are any.
#[test]
fn categories_are_what_operators_say() {
    let catalog = Catalog::shipped().expect("a catalogue");
    for (token, category, basis) in [
        ("gptbot", "ai training", "operator"),
        ("petalbot", "search engine", "operator"),
        ("mistralai-training", "ai training", "operator"),
        ("kimi-searchbot", "ai search", "operator"),
        ("ccbot", "web archiving", "lists"),
        ("diffbot", "search engine", "lists"),
        ("timpibot", "search engine", "lists"),
        ("cohere-ai", "unclear", "lists"),
        ("cohere-training-data-crawler", "unclear", "lists"),
        ("bytespider", "ai training", "lists"),
        ("netestate", "other", "lists"),
        ("wardbot", "monitoring", "lists"),
        ("klaviyoaibot", "ai other", "lists"),
    ] {
        let agent = &catalog.0[token];
        assert_eq!(
            (agent.purposes[0], agent.is_ai_basis),
            (category, Some(basis)),
            "{token}"
        );
    }
    for (token, successor) in [
        ("cloudflare-autorag", "cloudflare-ai-search"),
        ("google-notebooklm", "google-gemininotebook"),
        ("omgili", "webzio"),
        ("anthropic-ai", "claudebot"),
    ] {
        let found = catalog.0[token].successor_token.as_deref();
        assert_eq!(found, Some(successor), "{token}");
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
    for (is_ai, end, message) in [
        (true, ",,,,,,operator,,,", "no statement_source"),
        (
            true,
            ",,,,,,,We index.,https://a.example/bot,",
            "no statement_date",
        ),
        (false, ",,,,,,lists,,,", "is_ai is false"),
        (true, ",,,,,,somebody,,,", "operator, lists"),
        (true, "renamed,,,,,,,,,", "name the new crawler"),
        (true, "active,,,,,gptbot,,,,", "must be renamed or retired"),
        (
            true,
            "renamed,,,,,nobody,,,,",
            "successor_token nobody is in no row",
        ),
    ] {
        let error = read_all(is_ai, end).expect_err(end);
        assert!(error.contains(message), "{message} in {error}");
    }
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
    for (end, message) in [
        ("gone,,,,,,,,,", "active, renamed, retired"),
        (",,maybe,,x,,,,,", "yes, may not, no, undocumented"),
        (",,yes,,,,,,,", "no obeys_robots_source"),
        (",,yes,2026,x,,,,,", "obeys_robots_date is `2026`"),
    ] {
        let error = read_all(false, end).expect_err(end);
        assert!(error.contains(message), "{message} in {error}");
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
    assert_eq!(catalog.0["mybot"].operator.as_deref(), Some("Me, Inc."));
    assert_eq!(catalog.0["mybot"].since, Some(20_512));
    assert_eq!(catalog.0["gptbot"].purposes, ["ai search", "other"]);
    assert!(!catalog.0["gptbot"].obeys_wildcard);
    assert_eq!(catalog.0["ccbot"], shipped.0["ccbot"]);
    assert_eq!(read(""), Ok(shipped), "no rows change nothing");
}

#[test]
fn errors_name_line_and_remedy() {
    let good = "mybot,MyBot,,other,false,,true,,https://my.example/\n";
    for (row, message) in [
        ("MyBot,MyBot,,other,false,,true,,x\n", "write it as `mybot`"),
        (
            "bot12/1.0,Bot12,,other,false,,true,,x\n",
            "write it as `bot12`",
        ),
        ("(12),12,,other,false,,true,,x\n", "begins with a letter"),
        (",None,,other,false,,true,,x\n", "begins with a letter"),
        ("a,,,other,false,,true,,x\n", "name is empty"),
        ("a,A,,ai,false,,true,,x\n", "search engine, advertising"),
        ("a,A,,other; crawling,false,,true,,x\n", "`crawling`"),
        ("a,A,,other,yes,,true,,x\n", "write true or false"),
        ("a,A,,other,false,,,,x\n", "write true or false"),
        ("a,A,,other,false,Nobody,true,,x\n", "write it as `nobody`"),
        ("a,A,,other,false,no-body,true,,x\n", "is in no row"),
        ("a,A,,other,false,a,true,,x\n", "falls back to itself"),
        ("a,A,,other,false,,true,2026,x\n", "YYYY-MM-DD"),
        ("a,A,,other,false,,true,2026-02-29,x\n", "YYYY-MM-DD"),
        ("a,A,,other,false,,true,2026080106,x\n", "YYYY-MM-DD"),
        ("a,A,,other,false,,true,,\n", "source is empty"),
        (
            "a,A,Me, Inc.,other,false,,true,,x\n",
            "10 values, 9 in the header",
        ),
        ("mybot,MyBot,,other,false,,true,,x\n", "line 2 already"),
    ] {
        let error = read(&format!("{good}{row}")).expect_err(row);
        assert!(error.starts_with("mine.csv:3: "), "{error}");
        assert!(error.contains(message), "{message} in {error}");
    }
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
