//! Ingests of pages: what becomes of headers and meta tags, and of the promises.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, ingest, numbers, parts, robostat, text};
use crate::support::warc::gzip;

/// A WARC record under `url`.
fn record(record_type: &str, url: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {record_type}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2026-08-01T00:00:00Z\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// A response of 200 with these header lines.
fn response(url: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut block = b"HTTP/1.1 200 OK\r\n".to_vec();
    for header in headers {
        block.extend_from_slice(header.as_bytes());
        block.extend_from_slice(b"\r\n");
    }
    block.extend_from_slice(b"\r\n");
    block.extend_from_slice(body);
    record(
        "response",
        url,
        "application/http; msgtype=response",
        &block,
    )
}

const HTML: &str = "Content-Type: text/html; charset=UTF-8";

/// A crawl of `hosts`, each with a robots.txt and three pages.
fn crawl(hosts: std::ops::Range<u32>) -> Vec<u8> {
    let mut members = Vec::new();
    for host in hosts {
        let robots = format!("User-agent: *\nDisallow: /{}\n", host % 7);
        let base = format!("https://host{host}.example");
        let tag = format!("<meta name=robots content='noindex, x{}'>", host % 5);
        for (path, headers, body) in [
            (
                "robots.txt",
                vec!["Content-Type: text/plain"],
                robots.as_str(),
            ),
            ("", vec![HTML], tag.as_str()),
            (
                "a",
                vec![HTML, "X-Robots-Tag: noarchive", "X-Robots-Tag: bot: none"],
                "<p>text",
            ),
            (
                "b.pdf",
                vec!["Content-Type: application/pdf", "x-robots-tag: noindex"],
                "%PDF",
            ),
        ] {
            let record = response(&format!("{base}/{path}"), &headers, body.as_bytes());
            members.extend(gzip(&record));
        }
    }
    members
}

#[test]
fn pages_say_what_their_headers_and_tags_say() {
    let folder = Folder::new();
    let utf16: Vec<u8> = "<meta name=robots content=none>"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    let coded = gzip(b"<meta name=robots content=nofollow>");
    let mut records = Vec::new();
    for (host, headers, body) in [
        ("both", vec![HTML, "X-Robots-Tag: noindex", "X-Robots-Tag: bot: none", "TDM-Reservation: 1"],
            &b"<!doctype html><head><META CONTENT=NoArchive NAME=GoogleBot><body><meta name=robots content=noai>"[..]),
        ("coded", vec![HTML, "Content-Encoding: gzip"], &coded),
        ("comment", vec![HTML], b"<!-- <meta name=robots content=none> -->"),
        ("image", vec!["Content-Type: text/html"], b"\xff\xd8\xff\xe0\0\x10JFIF\0<meta name=\0\xff>"),
        ("pdf", vec!["Content-Type: application/pdf"], b"<meta name=robots content=none>"),
        ("sniffed", vec![], b"<html ><meta name=robots content=none>"),
        ("utf16", vec!["Content-Type: text/html; charset=utf-16be"], &utf16),
        ("xhtml", vec!["Content-Type: application/xhtml+xml"], b"<meta name=\"robots\" content=\"none\"/>"),
    ] {
        records.extend(response(&format!("http://{host}/"), &headers, body));
    }
    records.extend(record(
        "revisit",
        "http://revisit/",
        "application/http",
        b"HTTP/1.1 200 OK\r\nX-Robots-Tag: none\r\n\r\n",
    ));
    records.extend(record(
        "resource",
        "http://resource/",
        "text/html",
        b"<meta name=robots content=none>",
    ));
    records.extend(record(
        "request",
        "http://request/",
        "application/http",
        b"GET / HTTP/1.1\r\n\r\n",
    ));
    records.extend(response(
        "http://robots/robots.txt",
        &[HTML],
        b"<meta name=robots content=none>",
    ));
    let (input, out) = (folder.write("a.warc", &records), folder.path("out"));
    let summary = ingest(&["--pages"], &input, &out, 0);
    assert_eq!(numbers(&summary, ["pages", "captures"]), [10, 1]);
    let sql = "SELECT url_host_name, is_html, (SELECT string_agg(concat_ws(' ', source, place, product_token, rule), ', '
            ORDER BY rule_index) FROM page_rules r WHERE r.page_policy_id = p.page_policy_id)
         FROM pages p ORDER BY 1";
    let rows = duckdb::of(&out, sql);
    let expected = [
        "both|true|header * noindex, header bot none, meta head googlebot noarchive, meta body \
         * noai",
        "coded|true|meta head * nofollow",
        "comment|true|NULL",
        "image|true|NULL",
        "pdf|false|NULL",
        "resource|true|meta head * none",
        "revisit|false|NULL",
        "sniffed|true|meta head * none",
        "utf16|true|meta head * none",
        "xhtml|true|meta head * none",
    ];
    assert_eq!(rows, expected);
    let sql = "SELECT url_host_name, dialect, product_token, may_index, may_archive, may_train, n_headers, n_metas,
            n_metas_misplaced, vocabulary, allows
         FROM pages JOIN page_policies USING (page_policy_id) JOIN page_agents USING (page_policy_id)
         JOIN page_preferences USING (page_policy_id) WHERE product_token IN ('*', 'bot') ORDER BY ALL";
    let rows = duckdb::of(&out, sql);
    let expected = [
        "both|bing|*|false|true|true|3|2|1|tdm|false",
        "both|google|*|false|NULL|NULL|3|2|1|tdm|false",
        "both|html4|*|true|true|NULL|3|2|1|tdm|false",
        "both|noai|*|NULL|NULL|false|3|2|1|tdm|false",
        "both|noai|bot|NULL|NULL|false|3|2|1|tdm|false",
        "both|repext|*|false|NULL|NULL|3|2|1|tdm|false",
        "both|repext|bot|false|NULL|NULL|3|2|1|tdm|false",
    ];
    assert_eq!(rows, expected);
    robostat(["verify"]).arg(&out).succeed();
}

/// Ingests `inputs` into one dataset, in as many runs.
fn in_runs(out: &Path, inputs: &[&Path], arguments: &[&str]) {
    for input in inputs {
        ingest(arguments, input, out, 0);
    }
}

#[test]
fn neither_threads_nor_merging_change_a_byte() {
    let folder = Folder::new();
    let first = folder.write("a.warc.gz", &crawl(0..200));
    let second = folder.write("b.warc.gz", &crawl(150..400));
    let whole = folder.path("whole");
    let both = |out: &Path, jobs: &str| {
        robostat(["ingest", "--quiet", "--pages", "--jobs", jobs])
            .args([&first, &second, out])
            .succeed();
    };
    both(&whole, "1");
    let four = folder.path("four");
    both(&four, "4");
    assert!(parts(&whole) == parts(&four), "threads");

    let apart = [("x", &first), ("y", &second)].map(|(name, input)| {
        let out = folder.path(name);
        in_runs(&out, &[input], &["--pages"]);
        out
    });
    let merged = folder.path("merged");
    let mut merge = robostat(["merge", "--quiet"]);
    merge.args(&apart).arg("--output").arg(&merged).succeed();
    assert!(parts(&whole) == parts(&merged), "merge");

    // Two runs have the same rows in other parts.
    let runs = folder.path("runs");
    in_runs(&runs, &[&first, &second], &["--pages"]);
    let rows = |out: &Path| {
        let tables = ["pages", "page_policies", "page_rules", "page_agents"];
        let sql = tables.map(|table| format!("SELECT * FROM {table} ORDER BY ALL"));
        sql.map(|sql| duckdb::of(out, &sql))
    };
    let expected = rows(&whole);
    assert_eq!(expected[0].len(), 450 * 3);
    assert_eq!(rows(&runs), expected);
    robostat(["compact", "--quiet"]).arg(&runs).succeed();
    assert_eq!(rows(&runs), expected);
    robostat(["verify"]).arg(&runs).succeed();

    // Replaced, the input has its rows once.
    ingest(&["--pages", "--force"], &second, &runs, 0);
    assert_eq!(rows(&runs)[0].len(), 450 * 3);
}

#[test]
fn without_the_option_pages_cost_nothing() {
    let folder = Folder::new();
    let input = folder.write("a.warc.gz", &crawl(0..40));
    let [plain, paged, only] = ["plain", "paged", "only"].map(|name| folder.path(name));
    ingest(&[], &input, &plain, 0);
    ingest(&["--pages"], &input, &paged, 0);
    ingest(&["--pages", "only"], &input, &only, 0);
    let is_of_pages = |path: &Path| path.to_string_lossy().starts_with("page");
    assert!(parts(&plain).keys().all(|path| !is_of_pages(path)));
    let mut others = parts(&paged);
    others.retain(|path, _| !is_of_pages(path));
    assert!(others == parts(&plain), "the other tables are the same");
    let count = |out: &Path| {
        let sql = "SELECT (SELECT count(*) FROM captures), count(*), count(crawl) FROM pages";
        duckdb::of(out, sql).concat()
    };
    assert_eq!(count(&plain), "40|0|0");
    assert_eq!(count(&paged), "40|120|120");
    assert_eq!(count(&only), "0|120|120");
    // An input in a robots.txt subset has targets of redirects, not pages.
    let subset = folder.path("subset");
    ingest(&["--pages", "--subset", "robotstxt"], &input, &subset, 0);
    assert_eq!(count(&subset), "160|0|0");
}

#[test]
fn an_input_is_asked_for_pages_always_or_never() {
    let folder = Folder::new();
    let input = folder.write("a.warc.gz", &crawl(0..4));
    let (plain, paged) = (folder.path("plain"), folder.path("paged"));
    ingest(&[], &input, &plain, 0);
    ingest(&["--pages"], &input, &paged, 0);
    let said = robostat(["ingest", "--pages"])
        .args([&input, &plain])
        .fail(0);
    assert!(said.contains("with no --pages; use --force"), "{said}");
    let errors = robostat(["merge"])
        .args([&plain, &paged])
        .arg("--output")
        .arg(folder.path("out"))
        .fail(1);
    assert_contains(&errors, &["was ingested here with --pages"]);
}

/// Pages of two hosts. One of them has links of every kind.
fn linked() -> Vec<u8> {
    let links = "<html lang=en-GB><a href=/a>a</a><a href=/b rel='nofollow ugc'>b</a><area href=/c REL=Sponsored>\
        <p data-nosnippet>p<span data-nosnippet=''>s</span>";
    let mut records = Vec::new();
    for (url, body) in [
        ("https://a.example.com/", links),
        ("https://a.example.com/2", "<html><a href=/>"),
        (
            "https://b.example.org/",
            "<html xml:lang=fr><a href=/ rel=nofollow>",
        ),
    ] {
        records.extend(response(
            url,
            &[HTML, "Content-Language: de", "Content-Language: en"],
            body.as_bytes(),
        ));
    }
    records.extend(response(
        "https://b.example.org/x.pdf",
        &["Content-Type: application/pdf"],
        b"<a href=/>",
    ));
    records
}

#[test]
fn links_are_counted_where_that_is_asked_for() {
    let folder = Folder::new();
    let input = folder.write("a.warc", &linked());
    let (plain, counted) = (folder.path("plain"), folder.path("counted"));
    ingest(&["--pages"], &input, &plain, 0);
    ingest(&["--pages", "--links"], &input, &counted, 0);
    let rows = |out: &Path| {
        let sql = "SELECT url_path, content_language, html_lang, n_links, n_links_nofollow, n_links_ugc, n_links_sponsored,
                n_links_qualified, n_data_nosnippet, n_data_nosnippet_google
            FROM pages ORDER BY url";
        duckdb::of(out, sql)
    };
    let null = "|NULL|NULL|NULL|NULL|NULL|NULL|NULL";
    let expected = [
        format!("/|de, en|en-GB{null}"),
        format!("/2|de, en|NULL{null}"),
        format!("/|de, en|fr{null}"),
        format!("/x.pdf|NULL|NULL{null}"),
    ];
    assert_eq!(rows(&plain), expected);
    let expected = [
        "/|de, en|en-GB|3|1|1|1|2|2|1".to_owned(),
        "/2|de, en|NULL|1|0|0|0|0|0|0".to_owned(),
        "/|de, en|fr|1|1|0|0|1|0|0".to_owned(),
        format!("/x.pdf|NULL|NULL{null}"),
    ];
    assert_eq!(rows(&counted), expected);
    let ask = |out: &Path, by: &str| {
        let sql = format!(
            "SELECT said, pages, elements, hosts, pct_of_pages, pct_of_links, n, unit FROM page_links(\"by\" := '{by}')"
        );
        duckdb::of(out, &sql)
    };
    assert!(ask(&plain, "host").is_empty());
    let expected = [
        "any|2|3|2|75.0|60.0|3|domain",
        "nofollow|2|2|2|75.0|40.0|3|domain",
        "sponsored|1|1|1|25.0|20.0|3|domain",
        "ugc|1|1|1|25.0|20.0|3|domain",
        "data-nosnippet|1|2|1|25.0|NULL|3|domain",
        "data-nosnippet-google|1|1|1|25.0|NULL|3|domain",
    ];
    assert_eq!(ask(&counted, "domain"), expected);
    let languages = "SELECT language, count(*) FROM html_pages GROUP BY ALL ORDER BY ALL";
    assert_eq!(
        duckdb::of(&counted, languages),
        ["de, en|1", "en-GB|1", "fr|1"]
    );

    // An input is asked for them always or never.
    let said = robostat(["ingest", "--pages"])
        .args([&input, &counted])
        .fail(0);
    assert!(said.contains("with --pages --links; use --force"), "{said}");
    let mut merge = robostat(["merge", "--output"]);
    merge.arg(folder.path("out"));
    let said = merge.args([&plain, &counted]).fail(1);
    assert_contains(&said, &["was ingested here with --pages --links"]);
    let errors = robostat(["ingest", "--links"])
        .args([&input, &plain])
        .fail(2);
    assert!(errors.contains("--pages"), "{}", errors);
    ingest(&["--pages", "--force"], &input, &counted, 0);
    assert_eq!(rows(&counted), rows(&plain));
}

/// A record of WAT of a page with this many links, and one more meta tag after them.
fn extract(links: usize) -> Vec<u8> {
    let link = json!({"path": "A@/href", "url": "/", "rel": "ugc"});
    let links = vec![link.to_string(); links].join(",");
    let block = format!(
        r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{"Response-Message":{{"Status":"200"}},
        "Headers":{{"Content-Type":"text/html"}},"HTML-Metadata":{{"Head":{{"Metas":[
        {{"name":"HTML@/lang","content":"fr"}},{{"name":"robots","content":"noindex"}}]}},"Links":[{links}]}}}}}},
        "WARC-Header-Metadata":{{"WARC-Type":"response","WARC-Target-URI":"https://a.example/"}}}}}}"#
    );
    record(
        "metadata",
        "https://a.example/",
        "application/json",
        block.as_bytes(),
    )
}

#[test]
fn of_giant_extracts_the_beginning_is_read() {
    let folder = Folder::new();
    let records = [extract(10), extract(200_000)].concat();
    let (input, out) = (folder.write("a.warc.wat", &records), folder.path("out"));
    ingest(&["--pages", "--links"], &input, &out, 0);
    let sql = "SELECT is_over_limit, html_lang, fetch_status, n_links > 50_000, n_links = n_links_ugc, n_data_nosnippet, rule
         FROM pages JOIN page_rules USING (page_policy_id) ORDER BY ALL";
    let rows = duckdb::of(&out, sql);
    let expected = [
        "false|fr|200|false|true|NULL|noindex",
        "true|fr|200|true|true|NULL|noindex",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn extracts_are_pages_too() {
    let folder = Folder::new();
    let extract = json!({"Envelope": {
        "WARC-Header-Metadata": {"WARC-Type": "response", "WARC-Target-URI": "https://a.example/x",
            "WARC-Date": "2024-05-18T01:58:10Z"},
        "Payload-Metadata": {"HTTP-Response-Metadata": {
            "Response-Message": {"Status": "404"},
            "Headers": {"X-Robots-Tag": "noindex"},
            "HTML-Metadata": {"Head": {"Metas": [{"name": "robots", "content": "nofollow"}]}}}}}});
    let mut records = Vec::new();
    for block in [extract.to_string(), "{".to_owned()] {
        let wat = record(
            "metadata",
            "https://a.example/x",
            "application/json",
            block.as_bytes(),
        );
        records.extend(gzip(&wat));
    }
    let (input, out) = (folder.write("a.warc.wat.gz", &records), folder.path("out"));
    let summary = ingest(&["--pages"], &input, &out, 3);
    assert_eq!(numbers(&summary, ["pages", "damaged_records"]), [1, 1]);
    let sql = "SELECT pages.source, fetch_status, fetch_time = '2024-05-18 01:58:10Z', list(rule ORDER BY rule_index)
         FROM pages JOIN page_rules USING (page_policy_id) GROUP BY ALL";
    let rows = duckdb::of(&out, sql);
    assert_eq!(rows, ["wat|404|true|[noindex, nofollow]"]);
    let sql = "SELECT kind, message LIKE '%not readable WAT%' FROM damage";
    assert_eq!(duckdb::of(&out, sql), ["corrupt|true"]);
}

#[test]
fn an_archive_without_responses_is_told() {
    let folder = Folder::new();
    let request = json!({"Envelope": {"WARC-Header-Metadata": {
        "WARC-Type": "request", "WARC-Target-URI": "https://a.example/x"}}});
    let block = request.to_string().into_bytes();
    let wat = record(
        "metadata",
        "https://a.example/x",
        "application/json",
        &block,
    );
    let input = folder.write("a.warc.wat", &wat);
    for (pages, words) in [
        (
            "--pages",
            "no capture and no page: it has no record of a response",
        ),
        (
            "--pages=only",
            "no page: it has no record of a response to another URL than a robots.txt",
        ),
    ] {
        let errors = robostat(["ingest", pages])
            .args([&input, &folder.path(pages)])
            .fail(3);
        assert!(errors.contains(words), "{}", errors);
    }
    // What has pages is not told that it has no robots.txt.
    let page = response("https://a.example/x", &["Content-Type: text/html"], b"<p>");
    let input = folder.write("b.warc.wat", &page);
    let output = robostat(["ingest", "--pages=only"])
        .args([&input, &folder.path("with a page")])
        .output()
        .expect("a run");
    assert!(!text(&output).contains("no capture"), "{}", text(&output));
}

#[test]
fn limits_are_told() {
    let folder = Folder::new();
    let tag = b"<meta name=robots content=noindex>";
    let million = tag.repeat(70_000);
    let bomb = gzip(&vec![b' '; 8 << 20]);
    let late = [&vec![b' '; 3 << 20][..], tag].concat();
    let giant = [&tag[..], &vec![b'x'; 6 << 20]].concat();
    let mut records = Vec::new();
    for (host, headers, body) in [
        ("bomb", vec![HTML, "Content-Encoding: gzip"], &bomb),
        ("giant", vec![HTML], &giant),
        ("late", vec![HTML], &late),
        ("million", vec![HTML], &million),
    ] {
        records.extend(response(&format!("http://{host}/"), &headers, body));
    }
    let (input, out) = (folder.write("a.warc", &records), folder.path("out"));
    ingest(&["--pages"], &input, &out, 0);
    let sql = "SELECT url_host_name, is_over_limit, is_cut, n_metas, content_issues FROM pages
         JOIN page_policies USING (page_policy_id) ORDER BY 1";
    let rows = duckdb::of(&out, sql);
    let expected = [
        "bomb|true|false|0|NULL",
        "giant|true|false|1|NULL",
        "late|true|false|0|NULL",
        "million|true|true|2520|NULL",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn what_is_wrong_with_policies_is_found() {
    let folder = Folder::new();
    let (input, out) = (folder.write("a.warc.gz", &crawl(0..3)), folder.path("out"));
    ingest(&["--pages"], &input, &out, 0);
    let path = fs::read_dir(out.join("page_rules"))
        .expect("a table")
        .next()
        .expect("a part")
        .expect("a part")
        .path();
    let bytes = fs::read(&path).expect("a part");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("space");
    let output = robostat(["verify"]).arg(&out).output().expect("a run");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("page_rules"), "{said}");
}

/// Hosts on which every contradiction stands once, with robots.txt.
fn contradictory() -> Vec<u8> {
    let mut records = Vec::new();
    for host in 0..6 {
        let base = format!("https://h{host}.example{}.com", host % 3);
        let signal = if host == 2 {
            "Content-Signal: ai-train=yes\n"
        } else {
            ""
        };
        let robots = format!("User-agent: *\nDisallow: /private\n{signal}");
        let ai: &[&str] = if host % 2 == 1 {
            &[HTML, "X-Robots-Tag: noai, noindex"]
        } else {
            &[HTML, "TDM-Reservation: 1"]
        };
        for (path, headers, body) in [
            (
                "/robots.txt",
                &["Content-Type: text/plain"][..],
                robots.as_str(),
            ),
            (
                "/",
                &[HTML],
                "<meta name=robots content='max-image-preview:large'>",
            ),
            (
                "/private/x",
                &[HTML],
                "<meta name=robots content='noindex,nofollow'>",
            ),
            ("/ai", ai, "<p>"),
            (
                "/mix",
                &[HTML, "X-Robots-Tag: noindex"],
                "<meta name=robots content=index><meta name=robots content=noindex><p><meta name=googlebot content=nosnippet>",
            ),
            (
                "/b",
                &[HTML, "X-Robots-Tag: googlebot: noindex"],
                "<meta name=bingbot content=nocache>",
            ),
            (
                "/gone.pdf",
                &["Content-Type: application/pdf", "X-Robots-Tag: none"],
                "%PDF",
            ),
        ] {
            records.extend(response(&format!("{base}{path}"), headers, body.as_bytes()));
        }
    }
    records
}

#[test]
fn queries_on_pages_answer() {
    let folder = Folder::new();
    let (input, out) = (folder.write("a.warc", &contradictory()), folder.path("out"));
    ingest(&["--pages"], &input, &out, 0);
    let views = out.join("views.sql");
    let ask = |sql: &str| duckdb::lines(&views, sql);
    assert_eq!(
        ask("SELECT rule, pages, pages_header, pages_meta, pages_misplaced, domains, pct_of_pages, n, unit
             FROM page_directives(\"by\" := 'domain')"),
        [
            "noindex|21|15|12|0|3|70.0|30|domain",
            "index|6|0|6|0|3|20.0|30|domain",
            "max-image-preview|6|0|6|0|3|20.0|30|domain",
            "nocache|6|0|6|0|3|20.0|30|domain",
            "nofollow|6|0|6|0|3|20.0|30|domain",
            "nosnippet|6|0|6|6|3|20.0|30|domain",
            "noai|3|3|0|0|3|10.0|30|domain",
        ]
    );
    assert_eq!(
        ask("SELECT product_token, pages, pages_noindex FROM page_agents_named()"),
        ["*|21|15", "googlebot|12|6", "bingbot|6|0"]
    );
    assert_eq!(
        ask(
            "SELECT dialect, product_token, may_not, pages, pages_by_name, pages_contradicting
             FROM page_restrictions(agents := ['*', 'GoogleBot', 'bingbot'])
             WHERE pages + pages_contradicting > 0 AND (product_token = '*' OR pages_by_name > 0)"
        ),
        [
            "bing|*|follow|6|0|0",
            "bing|*|index|15|0|0",
            "bing|bingbot|archive|6|6|0",
            "bing|bingbot|train|6|6|0",
            "google|*|follow|6|0|0",
            "google|*|index|15|0|0",
            "google|googlebot|index|21|6|0",
            "html4|*|follow|6|0|0",
            "html4|*|index|6|0|6",
            "noai|*|train|3|0|0",
            "repext|*|index|15|0|0",
            "repext|googlebot|index|21|6|0",
        ]
    );
    let expected = [
        "nocache|6|0|20.0",
        "noai|3|3|10.0",
        "tdm-reservation|3|3|10.0",
        "any|6|6|20.0",
    ];
    assert_eq!(
        ask("SELECT way, pages, pages_header, pct_of_pages FROM page_training()"),
        expected
    );
    assert_eq!(
        ask(
            "SELECT found, rule, pages, pages_published, pages_lost, pages_too_many
             FROM page_directives_http_archive() WHERE pages <> pages_published"
        ),
        [
            "header|any|15|6|9|0",
            "header|noindex|15|6|9|0",
            "header|not_indexable|15|6|9|0",
            "header|noai|3|0|3|0",
            "header|not_followable|0|6|0|6",
            "meta|index|6|0|6|0",
            "meta|not_followable|6|12|0|6",
        ]
    );
    assert_eq!(
        ask(
            "SELECT found, rule, pct_almanac_2025 FROM page_directives_http_archive()
             WHERE pct_almanac_2025 IS NOT NULL AND rule IN ('any', 'index')"
        ),
        ["header|any|0.7", "meta|any|47.9", "meta|index|59.3"]
    );
    assert_eq!(
        ask(
            "SELECT contradiction, product_token, pages, hosts, pct_of_pages, n
             FROM page_contradictions(agents := ['GPTBot'])"
        ),
        [
            "allowed_not_to_train|gptbot|6|6|20.0|30",
            "header_and_meta|*|6|6|20.0|30",
            "index_and_noindex|*|6|6|20.0|30",
            "signals|*|1|1|3.33|30",
            "unseen_noindex|googlebot|6|6|20.0|30",
        ]
    );
    assert_eq!(
        ask("SELECT url FROM contradictions() WHERE contradiction = 'signals'"),
        ["https://h2.example2.com/ai"]
    );
    assert_eq!(
        ask(
            "SELECT pages, pages_noindex, pages_denying_training, response_class FROM host_pages
             WHERE url_host_name = 'h0.example0.com'"
        ),
        ["5|2|1|success"]
    );
}

#[test]
fn robots_txt_hides_noindex() {
    let folder = Folder::new();
    let (input, out) = (folder.write("a.warc", &contradictory()), folder.path("out"));
    ingest(&["--pages"], &input, &out, 0);
    let sql = "SELECT product_token, pages_noindex, pages_unseen, hosts_unseen, hosts_blocking, n
        FROM blocked_and_noindex(agents := ['googlebot', 'ccbot'])";
    assert_eq!(
        duckdb::of(&out, sql),
        ["ccbot|15|6|6|0|30", "googlebot|21|6|6|0|30"]
    );
}

#[test]
fn noarchive_is_no_refusal_of_training() {
    let folder = Folder::new();
    let mut records = response("https://a.example/robots.txt", &[], b"User-agent: *\n");
    for (path, header) in [
        ("1", "X-Robots-Tag: noarchive"),
        ("2", "X-Robots-Tag: bingbot: nocache"),
        ("3", "X-Robots-Tag: noimageai"),
        ("4", "TDM-Reservation: 1"),
    ] {
        let url = format!("https://a.example/{path}");
        records.extend(response(&url, &[HTML, header], b"<p>"));
    }
    let (input, out) = (folder.write("a.warc", &records), folder.path("out"));
    ingest(&["--pages"], &input, &out, 0);
    let expected = [
        "noarchive|1",
        "nocache|1",
        "noimageai|1",
        "tdm-reservation|1",
        "any|1",
    ];
    assert_eq!(
        duckdb::of(&out, "SELECT way, pages FROM page_training()"),
        expected
    );
}

#[test]
fn a_page_may_not_be_indexed_after_its_time() {
    let folder = Folder::new();
    let mut records = response("https://a.example/robots.txt", &[], b"User-agent: *\n");
    // Pages are fetched on 2026-08-01.
    for (path, until) in [
        ("past", "2026-07-31"),
        ("now", "2026-08-01"),
        ("future", "2026-08-02"),
        ("never", "soon"),
    ] {
        let tag = format!("<meta name=robots content='unavailable_after: {until}'>");
        let url = format!("https://a.example/{path}");
        records.extend(response(&url, &[HTML], tag.as_bytes()));
    }
    let tag = b"<meta name=googlebot content='unavailable_after: 2026-01-01'>";
    records.extend(response("https://a.example/google", &[HTML], tag));
    let (input, out) = (folder.write("a.warc", &records), folder.path("out"));
    ingest(&["--pages"], &input, &out, 0);
    let views = out.join("views.sql");
    assert_eq!(
        duckdb::lines(
            &views,
            "SELECT dialect, product_token, pages, n FROM page_restrictions(agents := ['*', 'googlebot'])
             WHERE may_not = 'index' AND pages > 0"
        ),
        ["google|*|2|5", "google|googlebot|3|5"]
    );
    assert_eq!(
        duckdb::lines(&views, "SELECT pages, pages_noindex FROM host_pages"),
        ["5|2"]
    );
}

#[test]
fn a_report_has_a_chapter_on_pages_where_there_are_any() {
    let folder = Folder::new();
    let input = folder.write("a.warc", &contradictory());
    for (arguments, has_chapter) in [
        (&["--pages", "--links"][..], true),
        (&["--pages"], true),
        (&[], false),
    ] {
        let name = arguments.concat();
        let (out, page) = (
            folder.path(&format!("out{name}")),
            folder.path(&format!("out{name}.md")),
        );
        ingest(arguments, &input, &out, 0);
        robostat(["report", "--quiet", "-o"])
            .args([&page, &out])
            .succeed();
        let report = fs::read_to_string(&page).expect("a report");
        assert_eq!(report.contains("Rules in pages"), has_chapter);
    }
}
