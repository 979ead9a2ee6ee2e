use super::*;

const HEADER: &str = "product_token,name,operator,category,purpose,is_ai,fallback_token,obeys_wildcard,since,source\n";

fn read(rows: &str) -> Result<Catalog, String> {
    let text = format!("{HEADER}{rows}");
    Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv")).map_err(|error| error.to_string())
}

#[test]
fn the_shipped_catalogue_is_whole() {
    let catalog = Catalog::shipped().expect("a catalogue");
    assert!(catalog.0.len() >= 200, "{} crawlers", catalog.0.len());
    let tokens: Vec<&str> = SHIPPED
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert!(tokens.is_sorted(), "rows are sorted by product token");
    for (token, agent) in &catalog.0 {
        catalog
            .check_fallback(token, Path::new("agents.csv"))
            .expect("a fallback that there is");
        assert!(
            agent.source.starts_with("https://") || agent.source.starts_with("http://"),
            "{token}: {}",
            agent.source
        );
        assert_eq!(
            String::from_utf8_lossy(product_token(agent.name.as_bytes())).to_ascii_lowercase(),
            *token,
            "the name gives the token"
        );
        assert!(
            agent.is_ai || !agent.category.starts_with("ai "),
            "{token}: an AI crawler is one"
        );
        // Between the first robot exclusion list and the day this catalogue was reviewed.
        let plausible = day("1994-01-01")..day("2026-12-01");
        assert!(
            agent
                .since
                .is_none_or(|since| plausible.contains(&Some(since))),
            "{token}"
        );
    }
    for category in CATEGORIES {
        assert!(
            catalog.0.values().any(|agent| agent.category == category),
            "{category}"
        );
    }
    assert_eq!(catalog.rows().num_rows(), catalog.0.len());
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

/// What the shipped catalogue says of itself.
#[test]
fn the_shipped_catalogue_is_sound() {
    let catalog = Catalog::shipped().expect("a catalogue");
    let version = day(VERSION).expect("a day");
    let is_url = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    let lines = SHIPPED.lines().count();
    assert_eq!(
        lines,
        catalog.0.len() + 1,
        "every line is a row, no token twice"
    );
    for (token, agent) in &catalog.0 {
        for source in [&agent.since_source, &agent.obeys_robots_source] {
            assert!(source.as_deref().is_none_or(is_url), "{token}");
        }
        assert_eq!(
            agent.since.is_some(),
            agent.since_source.is_some(),
            "{token}"
        );
        assert_eq!(
            agent.obeys_robots.is_some(),
            agent.obeys_robots_date.is_some(),
            "{token}"
        );
        for day in [agent.since, agent.obeys_robots_date].into_iter().flatten() {
            assert!(day <= version, "{token}: no later than the version");
        }
        assert!(
            agent.status != Some("retired") || agent.obeys_robots != Some("yes"),
            "{token}"
        );
        assert_eq!(agent.version, Some(VERSION));
    }
}

/// Facts that studies stand on, each as its operator documents it.
#[test]
fn the_shipped_catalogue_knows_who_obeys() {
    let catalog = Catalog::shipped().expect("a catalogue");
    for (token, obeys, status) in [
        ("gptbot", Some("yes"), Some("active")),
        ("chatgpt-user", Some("may not"), Some("active")),
        ("perplexity-user", Some("no"), Some("active")),
        ("meta-externalfetcher", Some("may not"), Some("active")),
        ("google-notebooklm", Some("no"), Some("active")),
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
    assert_eq!(catalog.0["meta-externalfetcher"].category, "ai user action");
    for token in [
        "oai-adsbot",
        "cloudflarebrowserrenderingcrawler",
        "google-cws",
        "awario",
        "channel3bot",
        "cloudvertexbot",
        "crawl4ai",
        "imagespider",
        "kendrabot",
        "iboubot",
        "aisearchbot",
        "extecontextcrawl",
        "flyriverbot",
        "semantic-visions",
        "taragroup",
        "imagemind",
        "linkreader",
    ] {
        assert!(catalog.0.contains_key(token), "{token}");
    }
    let ai = catalog.0.values().filter(|agent| agent.is_ai);
    let (known, unknown): (Vec<_>, Vec<_>) = ai.partition(|agent| agent.since.is_some());
    assert!(
        known.len() > 160 && unknown.len() <= 2,
        "{} {}",
        known.len(),
        unknown.len()
    );
}

#[test]
fn a_file_may_say_whether_a_crawler_obeys() {
    let header = COLUMNS.join(",");
    let read = |end: &str| {
        let text = format!("{header}\na,A,,other,other,false,,true,,https://a.example/,{end}\n");
        Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv"))
            .map(|catalog| catalog.0["a"].clone())
            .map_err(|error| error.to_string())
    };
    let agent = read("retired,,may not,2026-02-28,https://a.example/bot").expect("a row");
    assert_eq!(
        (agent.status, agent.obeys_robots),
        (Some("retired"), Some("may not"))
    );
    assert_eq!(
        (agent.obeys_robots_date, agent.version),
        (Some(20_512), None)
    );
    assert_eq!(read(",,,,").expect("a row").obeys_robots, None);
    for (end, message) in [
        ("gone,,,,", "active, retired"),
        (",,maybe,,x", "yes, may not, no, undocumented"),
        (",,yes,,", "no obeys_robots_source"),
        (",,yes,2026,x", "obeys_robots_date is `2026`"),
    ] {
        let error = read(end).expect_err(end);
        assert!(error.contains(message), "{message} in {error}");
    }
}

#[test]
fn rows_are_added_and_replaced() {
    let catalog = read(
        "mybot,MyBot,\"Me, Inc.\",other,other,false,gptbot,true,2026-02-28,https://my.example/\n\
         gptbot,GPTBot,OpenAI,ai search,search,true,,false,,https://my.example/\n",
    )
    .expect("a catalogue");
    let shipped = Catalog::shipped().expect("a catalogue");
    assert_eq!(catalog.0.len(), shipped.0.len() + 1);
    assert_eq!(catalog.0["mybot"].operator.as_deref(), Some("Me, Inc."));
    assert_eq!(catalog.0["mybot"].since, Some(20_512));
    assert_eq!(catalog.0["gptbot"].category, "ai search");
    assert!(!catalog.0["gptbot"].obeys_wildcard);
    assert_eq!(catalog.0["ccbot"], shipped.0["ccbot"]);
    assert_eq!(read(""), Ok(shipped), "no rows change nothing");
}

#[test]
fn errors_name_line_and_remedy() {
    let good = "mybot,MyBot,,other,other,false,,true,,https://my.example/\n";
    for (row, message) in [
        (
            "MyBot,MyBot,,other,other,false,,true,,x\n",
            "write it as `mybot`",
        ),
        (
            "bot12/1.0,Bot12,,other,other,false,,true,,x\n",
            "write it as `bot12`",
        ),
        (
            "(12),12,,other,other,false,,true,,x\n",
            "begins with a letter",
        ),
        (
            ",None,,other,other,false,,true,,x\n",
            "begins with a letter",
        ),
        ("a,,,other,other,false,,true,,x\n", "name is empty"),
        (
            "a,A,,ai,other,false,,true,,x\n",
            "search engine, advertising",
        ),
        ("a,A,,other,crawling,false,,true,,x\n", "training, search"),
        ("a,A,,other,other,yes,,true,,x\n", "write true or false"),
        ("a,A,,other,other,false,,,,x\n", "write true or false"),
        (
            "a,A,,other,other,false,Nobody,true,,x\n",
            "write it as `nobody`",
        ),
        ("a,A,,other,other,false,no-body,true,,x\n", "is in no row"),
        ("a,A,,other,other,false,a,true,,x\n", "falls back to itself"),
        ("a,A,,other,other,false,,true,2026,x\n", "YYYY-MM-DD"),
        ("a,A,,other,other,false,,true,2026-02-29,x\n", "YYYY-MM-DD"),
        ("a,A,,other,other,false,,true,,\n", "source is empty"),
        (
            "a,A,Me, Inc.,other,other,false,,true,,x\n",
            "11 values, 10 in the header",
        ),
        (
            "mybot,MyBot,,other,other,false,,true,,x\n",
            "line 2 already",
        ),
    ] {
        let error = read(&format!("{good}{row}")).expect_err(row);
        assert!(error.starts_with("mine.csv:3: "), "{error}");
        assert!(error.contains(message), "{message} in {error}");
    }
    let mut text = HEADER.as_bytes().to_vec();
    text.extend_from_slice(b"caf\xe9,Caf\xe9,,other,other,false,,true,,x\n");
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
    let row = "mybot,MyBot,,other,other,false,,true,,https://my.example/\n";
    let text = format!("\u{feff}{HEADER}{row}").replace('\n', "\r\n");
    let catalog = Catalog::shipped_with(text.as_bytes(), Path::new("mine.csv")).expect("rows");
    assert!(catalog.0.contains_key("mybot"));
}
