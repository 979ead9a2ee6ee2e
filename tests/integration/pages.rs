//! Ingests of pages: from WARC and WAT, in any number of runs. `tests/cases/pages.md` has more.

use std::path::Path;

use serde_json::json;

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{Run as _, ingest, numbers, parts, robostat, text};
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
