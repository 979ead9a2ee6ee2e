//! What shipped queries answer on crawls of a few captures, counted by hand.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::support::mini_warc::{Dataset, MiniWarc, robots};
use crate::support::program::robostat;

const OPEN: &str = "User-agent: *\nDisallow:\n";
const CLOSED: &str = "User-agent: *\nDisallow: /\n";
const NO_GPTBOT: &str = "User-agent: *\nDisallow: /a\nUser-agent: GPTBot\nDisallow: /\n";

/// Some columns of the rows of a shipped query with `parameters`, set apart by spaces.
#[track_caller]
fn ask(dataset: &Dataset, name: &str, parameters: &str, columns: &str) -> Vec<String> {
    let call = format!("FROM {}({parameters})", name.replace('-', "_"));
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let line = |row: &Value| {
        let found = |column| {
            row.get(column)
                .unwrap_or_else(|| panic!("{column} in {row}"))
        };
        let cells = columns.split(' ').map(|column| text(found(column)));
        cells.collect::<Vec<_>>().join(" ")
    };
    dataset.rows(&call).iter().map(line).collect()
}

/// Two crawls of the same hosts: in the first one host blocks GPTBot by name, another by its
/// rules for everybody; in the second two more block it by name, and one allows it again.
fn two_crawls() -> Dataset {
    let before = MiniWarc::new()
        .on("2025-11-10")
        .file("one.example", NO_GPTBOT)
        .file("two.example", CLOSED)
        .file("three.example", OPEN)
        .status("four.example", 404)
        // Errors settle nothing.
        .status("five.example", 503);
    let after = MiniWarc::new()
        .on("2026-02-10")
        .file("one.example", OPEN)
        .file("two.example", CLOSED)
        .file("three.example", NO_GPTBOT)
        .file("four.example", NO_GPTBOT)
        .status("five.example", 403);
    MiniWarc::ingest_crawls([("before", before), ("later", after)])
}

#[test]
fn the_share_that_blocks_gptbot_is_followed_over_crawls_and_months() {
    let dataset = two_crawls();
    assert_eq!(
        ask(
            &dataset,
            "agent-restrictions-over-time",
            "",
            "crawl n hosts_full pct_full pct_full_by_name pct_full_by_wildcard"
        ),
        ["before 4 2 50.0 25.0 25.0", "later 4 3 75.0 50.0 25.0"]
    );
    assert_eq!(
        ask(
            &dataset,
            "agent-restrictions-by-month",
            "agents := ['gptbot'], last_month := DATE '2026-03-01'",
            "month n pct_full pct_full_by_name pct_none"
        ),
        [
            "2025-11 4 50.0 25.0 50.0",
            "2025-12 4 50.0 25.0 50.0",
            "2026-01 4 50.0 25.0 50.0",
            "2026-02 4 75.0 50.0 25.0",
            "2026-03 4 75.0 50.0 25.0",
        ],
        "the last answer holds until the next"
    );
    assert_eq!(
        ask(
            &dataset,
            "restrictions-added-and-removed",
            "agents := ['gptbot']",
            "crawl hosts full_added full_removed named_first named_no_more"
        ),
        ["before 0 null null null null", "later 4 2 1 2 1"]
    );
    assert_eq!(
        ask(
            &dataset,
            "agent-first-appearances",
            "agents := ['gptbot']",
            "month origins origins_new origins_until_then"
        ),
        ["2025-11 1 0 1", "2026-02 2 2 3"]
    );
}

#[test]
fn rules_come_and_go() {
    // b blocks from February on, except in April; c fails in March, which says nothing; d stops,
    // and answers at www. too in the end.
    let dataset = MiniWarc::ingest_crawls([1, 2, 3, 4, 5].map(|month: u32| {
        let file = |blocks: bool| if blocks { NO_GPTBOT } else { OPEN };
        let warc = MiniWarc::new()
            .on(&format!("2026-0{month}-05"))
            .file("a.example", file(true))
            .file("b.example", file(month != 1 && month != 4))
            .answer(
                &robots("c.example"),
                if month == 3 { 503 } else { 200 },
                file(month > 1),
            )
            .file("d.example", file(month < 3));
        let warc = match month {
            5 => warc.file("www.d.example", file(false)),
            _ => warc,
        };
        (
            ["", "jan", "feb", "mar", "apr", "may"][month as usize],
            warc,
        )
    }));
    let ask = |parameters: &str| {
        let columns = "origin path absent_before first_seen last_seen absent_after";
        let rows = ask(&dataset, "rule-history", parameters, columns);
        let days = |row: &String| {
            let words = row.split(' ').filter(|it| !it.ends_with("+00"));
            words.collect::<Vec<_>>().join(" ").replace("2026-", "")
        };
        rows.iter().map(days).collect::<Vec<_>>()
    };
    assert_eq!(
        ask("agents := ['gptbot']"),
        [
            "https://b.example / 04-05 05-05 05-05 null",
            "https://b.example / 01-05 02-05 03-05 04-05",
            "https://d.example / null 01-05 02-05 03-05",
            "https://c.example / 01-05 02-05 05-05 null",
            "https://a.example / null 01-05 05-05 null",
        ]
    );
    for name in ["D.example", "www.d.example"] {
        assert_eq!(
            ask(&format!("host := '{name}'")),
            [
                "https://d.example  02-05 03-05 05-05 null",
                "https://d.example /a null 01-05 02-05 03-05",
                "https://d.example / null 01-05 02-05 03-05",
                "https://www.d.example  null 05-05 05-05 null",
            ]
        );
    }
}

/// What the parser says of a URL, `urls-blocked` says too.
#[test]
fn urls_are_blocked_as_the_parser_says() {
    let rules = "User-agent: *\nDisallow: /ü\nDisallow: /a~b\nDisallow: /x%2fy\nDisallow: //dbl\n\
                 Disallow: /s%2Atar\nDisallow: /c$d\nDisallow: /p%2525\nDisallow: /*?q=é\nAllow: /ü/open\n";
    let paths = [
        "/ü",
        "/%C3%BC",
        "/%c3%bc/x",
        "/u",
        "/ü/open",
        "/%C3%BC/ope%6E",
        "/a~b",
        "/a%7eb",
        "/a%7Eb/c",
        "/a%7Fb",
        "/x%2fy",
        "/x%2Fy",
        "/x/y",
        "//dbl",
        "/dbl",
        "///dbl",
        "/s*tar",
        "/s%2atar",
        "/star",
        "/c$d",
        "/c%24d",
        "/c",
        "/p%2525",
        "/p%25",
        "/x?q=é",
        "/x?q=%C3%A9#f",
        "/x?q=e",
        "/",
        "",
        "?q=é",
        "/robots.txt",
    ];
    let dataset = MiniWarc::new().file("site.example", rules).ingest();
    let body = dataset.path().with_file_name("robots.txt");
    fs::write(&body, rules).expect("a file");
    let (mut script, mut expected) = (String::new(), Vec::new());
    for (number, path) in paths.iter().enumerate() {
        let url = format!("https://site.example{path}");
        let list = dataset.path().with_file_name(format!("{number}.txt"));
        fs::write(&list, &url).expect("a file");
        let call = format!(
            "urls_blocked(agents := ['*'], urls := '{}')",
            list.display()
        );
        writeln!(
            script,
            "SELECT '{path}', urls_blocked::INTEGER FROM {call};"
        )
        .expect("memory");
        let check = robostat(["check", "--agent", "*", "--url", &url])
            .arg(&body)
            .output()
            .expect("a run");
        let is_blocked = String::from_utf8_lossy(&check.stdout).contains("disallowed");
        expected.push(format!("{path}|{}", u8::from(is_blocked)));
    }
    assert_eq!(dataset.lines(&script), expected);
}

/// A list may have hosts in Unicode; hosts that the dataset lacks are counted.
#[test]
fn urls_with_a_unicode_host_are_matched() {
    let dataset = MiniWarc::new()
        .file("xn--bcher-kva.example", CLOSED)
        .file("xn--wgv71a119e.xn--e1afmkfd", CLOSED)
        .file("xn--.example", OPEN)
        .ingest();
    let list = dataset.path().with_file_name("urls.txt");
    let urls = "https://bücher.example/a\nhttps://BÜCHER.example:443/b\nhttps://bu\u{308}cher.example/c\n\
                https://日本語.пример/\nhttps://xn--bcher-kva.example/d\nhttps://müller.example/\n";
    fs::write(&list, urls).expect("a file");
    let arguments = format!("agents := ['*'], urls := '{}'", list.display());
    assert_eq!(
        ask(
            &dataset,
            "urls-blocked",
            &arguments,
            "urls_blocked n urls_not_matched"
        ),
        ["5 5 1"]
    );
}

#[test]
fn ranks_and_labels_are_the_users_own() {
    let dataset = MiniWarc::new()
        .file("www.first.example", NO_GPTBOT)
        .file("second.example", OPEN)
        .file("unranked.example", CLOSED)
        .ingest();
    let ranks = dataset.path().with_file_name("it's ranks.csv");
    fs::write(
        &ranks,
        "1,first.example\n2,second.example\n3,third.example\n",
    )
    .expect("written");
    let ranks = ranks.to_string_lossy().replace('\'', "''");
    let parameters = format!("ranks := '{ranks}', tops := [1, 10]");
    assert_eq!(
        ask(
            &dataset,
            "agent-restrictions-by-rank",
            &format!("{parameters}, agents := ['gptbot']"),
            "stratum n pct_full pct_full_by_name"
        ),
        [
            "top 1 1 100.0 100.0",
            "top 10 2 50.0 50.0",
            "2 to 10 1 0.0 0.0",
            "unranked 1 100.0 0.0",
            "all 3 66.67 33.33"
        ]
    );
    assert_eq!(
        ask(
            &dataset,
            "status-classes-by-rank",
            &parameters,
            "stratum n not_captured with_rules unit"
        ),
        [
            "top 1 1 0 1 domain",
            "top 10 3 1 2 domain",
            "2 to 10 2 1 1 domain",
            "all 3 0 3 host"
        ]
    );
    let labels = dataset.path().with_file_name("labels.csv");
    fs::write(
        &labels,
        "domain,label\nfirst.example,news\nsecond.example,shops\nunranked.example,news\n",
    )
    .expect("written");
    assert_eq!(
        ask(
            &dataset,
            "ai-agents-by-group",
            &format!("labels := '{}'", labels.display()),
            "group n pct_blocking_ai_agents"
        ),
        ["all 3 33.33", "news 2 50.0", "shops 1 0.0"]
    );
}

#[test]
fn faulty_grouping_loses_agents() {
    let dataset = MiniWarc::new()
        // All take the first group; of the second Common Crawl's script and the Data
        // Provenance Initiative's take the last line only.
        .file(
            "stack.example",
            "User-agent: a\nUser-agent: b\nDisallow: /\nUser-agent: c\nUser-agent: d\n\
             Disallow: /\n",
        )
        // A sitemap between user-agent lines: HTTP Archive's and the Data Provenance Initiative's
        // lose the first.
        .file(
            "sitemap.example",
            "User-agent: a\nSitemap: https://sitemap.example/s\nUser-agent: b\nDisallow: /\n",
        )
        // The same rules without the sitemap: one policy, another file.
        .file(
            "plain.example",
            "User-agent: a\nUser-agent: b\nDisallow: /\n",
        )
        // c gets one of its two groups: one rule of two.
        .file(
            "twice.example",
            "User-agent: x\nUser-agent: c\nDisallow: /\nUser-agent: c\nUser-agent: e\n\
             Disallow: /e\n",
        )
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "grouping-errors",
            "",
            "product_token hosts hosts_cc hosts_ha hosts_dpi cc_disallow_all cc_disallow_all_script dpi_all dpi_all_script dpi_none dpi_none_script"
        ),
        [
            "a 3 3 2 2 3 3 3 2 0 1",
            "b 3 3 3 3 3 3 3 3 0 0",
            "c 2 1 2 1 1 1 2 1 0 1",
            "d 1 1 1 1 1 1 1 1 0 0",
            "e 1 1 1 1 0 0 0 0 0 0",
            "x 1 1 1 1 1 1 1 1 0 0",
        ]
    );
    assert_eq!(
        ask(
            &dataset,
            "grouping-errors-total",
            "",
            "hosts file_agent_pairs pairs_lost pairs_partly_lost pairs_of_other_class files"
        ),
        [
            "0 11 0 0 null 0",
            "1 10 1 0 null 1",
            "1 10 1 1 2 2",
            "2 9 2 1 2 3"
        ]
    );
}

#[test]
fn favour_is_more_paths_than_all_others_have() {
    let dataset = MiniWarc::new()
        // Googlebot may fetch /a and /*.pdf too.
        .file(
            "favours.example",
            "User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /*.pdf$\nAllow: /a/c\n\
             User-agent: Googlebot\nDisallow: /b\nUser-agent: GPTBot\nDisallow: /\n",
        )
        .file(
            "neutral.example",
            "User-agent: *\nDisallow: /\nUser-agent: GPTBot\nDisallow: /\n",
        )
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "agent-bias",
            "agents := ['googlebot', 'gptbot']",
            "product_token hosts_looser hosts_equal hosts_stricter favourability bias"
        ),
        // Googlebot is blocked by neutral.example alone, as everybody is; GPTBot by both.
        ["gptbot 0 1 1 -0.5 1.0", "googlebot 1 0 0 0.5 0.0"]
    );
}

#[test]
fn the_share_among_top_sites_is_followed_over_crawls() {
    let dataset = two_crawls();
    let ranks = dataset.path().with_file_name("ranks.csv");
    fs::write(&ranks, "1,one.example\n2,two.example\n3,three.example\n").expect("written");
    let parameters = format!(
        "ranks := '{}', tops := [2], agents := ['gptbot'], crawl := 'all'",
        ranks.display()
    );
    assert_eq!(
        ask(
            &dataset,
            "agent-restrictions-by-rank",
            &parameters,
            "crawl stratum n pct_full pct_full_by_name"
        ),
        [
            "before top 2 2 100.0 50.0",
            "before unranked 1 0.0 0.0",
            "before all 4 50.0 25.0",
            "later top 2 2 50.0 0.0",
            "later unranked 1 100.0 100.0",
            "later all 4 75.0 50.0",
        ]
    );
}

#[test]
fn a_host_lets_in_google_only_or_others_too() {
    let dataset = MiniWarc::new()
        .file(
            "google.example",
            "User-agent: Googlebot\nDisallow: /a\nUser-agent: *\nDisallow: /\n",
        )
        .file(
            "bing.example",
            "User-agent: Googlebot\nUser-agent: Bingbot\nDisallow:\nUser-agent: *\nDisallow: /\n",
        )
        .file("no-google.example", "User-agent: Googlebot\nDisallow: /\n")
        .file("closed.example", CLOSED)
        .status("open.example", 404)
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "hosts-only-google",
            "",
            "let_in hosts pct_of_hosts n"
        ),
        [
            "Google only 1 20.0 5",
            "Google and others 2 40.0 5",
            "others only 1 20.0 5",
            "neither 1 20.0 5",
        ]
    );
}

#[test]
fn one_crawler_is_shut_out_and_another_let_in() {
    let dataset = MiniWarc::new()
        .file("conflict.example", NO_GPTBOT)
        .file("closed.example", CLOSED)
        .status("open.example", 404)
        .file(
            "other.example",
            "User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\nUser-agent: Googlebot\n\
             Disallow: /\n",
        )
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "agent-conflicts",
            "pairs := [['gptbot', 'googlebot'], ['claudebot', 'gptbot']]",
            "blocked allowed n hosts_in_conflict hosts_blocking_both hosts_the_other_way_round"
        ),
        ["gptbot googlebot 4 1 2 0", "claudebot gptbot 4 0 2 1"]
    );
    assert_eq!(
        ask(
            &dataset,
            "agent-pairs",
            "agents := ['gptbot', 'claudebot']",
            "agent other hosts_both hosts_agent_only hosts_other_only pct_both"
        ),
        ["claudebot gptbot 1 0 1 50.0"]
    );
    assert_eq!(
        ask(&dataset, "key-shares", "", "measure n pct mean_agents")[5..9],
        [
            "names_ai 4 50.0 1.5",
            "restricts_ai 4 50.0 null",
            "blocks_ai 4 50.0 1.5",
            "blocks_ai_by_any 4 75.0 null"
        ]
    );
}

/// Three hosts of one domain have the same file, three hosts a file each.
#[test]
fn hosts_of_a_domain_share_its_weight() {
    let big = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\
               License: https://big.example.com/terms\n";
    let dataset = MiniWarc::new()
        .file("a.big.com", big)
        .file("b.big.com", big)
        .file("c.big.com", big)
        .file("one.com", "User-agent: GPTBot\nDisallow: /\n")
        .file("two.com", "User-agent: *\nDisallow: /private/\n")
        .file(
            "three.com",
            "User-agent: *\nDisallow: /private/\nDisallow: /\nAllow: /\n",
        )
        .ingest();
    let check = |name: &str, parameters: &str, columns: &str, row: usize, expected: [&str; 2]| {
        for (by, expected) in ["host", "domain"].into_iter().zip(expected) {
            let comma = if parameters.is_empty() { "" } else { ", " };
            let parameters = format!("{parameters}{comma}\"by\" := '{by}'");
            let rows = ask(&dataset, name, &parameters, columns);
            assert_eq!(rows[row], expected, "{name} by {by}: {rows:?}");
        }
    };
    let pair = "agents := ['gptbot', 'ccbot']";
    let columns = "hosts_both pct_of_agent pct_of_other";
    check(
        "agent-pairs",
        pair,
        columns,
        0,
        ["3 100.0 75.0", "3 100.0 50.0"],
    );
    let blocking = "hosts_that := 'block_one', most := 2";
    let columns = "ai_agents_blocked hosts pct_of_hosts";
    check(
        "ai-agents-per-host",
        blocking,
        columns,
        1,
        ["2 3 75.0", "2 3 50.0"],
    );
    let columns = "preference hosts pct_of_hosts";
    check(
        "licences",
        "",
        columns,
        0,
        ["any of these 3 50.0", "any of these 3 25.0"],
    );
    let columns = "path hosts pct_of_hosts_with_rules";
    check("paths", "", columns, 0, ["/ 5 83.33", "/ 5 75.0"]);
    let columns = "hosts pct_of_hosts_with_file pct_of_them_alike";
    check(
        "size-peaks",
        "",
        columns,
        0,
        ["3 50.0 100.0", "3 25.0 100.0"],
    );
    // Lines.
    let columns = "measure median max";
    check("size-quantiles", "", columns, 1, ["lines 4 4", "lines 2 4"]);
    // The first that matches, and the longest.
    let columns = "dialect other pct_of_hosts_with_rules";
    let expected = ["koster1996 google 16.67", "koster1996 google 25.0"];
    check("dialects-disagree-on-root", "", columns, 8, expected);
}

#[test]
fn urls_are_judged_by_the_longest_match() {
    let dataset = MiniWarc::new()
        .file(
            "site.example",
            "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\nUser-agent: GPTBot\n\
             Disallow: /\n",
        )
        .ingest();
    let urls = dataset.path().with_file_name("urls.txt");
    let list = "https://site.example/a\nhttps://site.example/a/b/c\nhttps://site.example/x.pdf\n\
                https://site.example/x.pdf?q\nhttps://site.example/robots.txt\n\
                https://other.example/\n";
    fs::write(&urls, list).expect("written");
    assert_eq!(
        ask(
            &dataset,
            "urls-blocked",
            &format!("urls := '{}', agents := ['*', 'gptbot']", urls.display()),
            "product_token n urls_blocked"
        ),
        ["gptbot 5 4", "* 5 2"]
    );
}

#[test]
fn redirects_are_counted_at_each_depth() {
    let dataset = MiniWarc::new()
        .redirect(&robots("a.example"), &robots("b.example"))
        .redirect(&robots("b.example"), &robots("c.example"))
        .file("c.example", OPEN)
        .redirect(&robots("lost.example"), &robots("nowhere.example"))
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "redirects-over-time",
            "",
            "depth n successes redirects redirects_followed targets_not_captured"
        ),
        ["0 4 1 3 2 1", "1 2 1 1 1 0", "2 1 1 0 0 0"]
    );
}

#[test]
fn a_host_has_its_longest_crawl_delay() {
    let dataset = MiniWarc::new()
        .file("both.example", "User-agent: *\nCrawl-delay: 5\nDisallow: /a\nUser-agent: Slow\nCrawl-delay: 60\nDisallow: /b\n")
        .file("all.example", "User-agent: *\nCrawl-delay: 30\nDisallow: /a\n")
        .file("none.example", CLOSED)
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "crawl-delays-over",
            "seconds := [5, 30]",
            "asked_of over_seconds hosts n"
        ),
        [
            "any crawler 5 2 3",
            "any crawler 30 1 3",
            "* 5 1 3",
            "* 30 0 3"
        ]
    );
}

#[test]
fn signals_contradict_rules() {
    let dataset = MiniWarc::new()
        .file(
            "denied.example",
            "User-agent: *\nContent-Signal: ai-train=no, search=yes\nAllow: /\n",
        )
        .file(
            "closed.example",
            "User-agent: *\nContent-Usage: train-ai=y\nDisallow: /\n",
        )
        .file(
            "agreed.example",
            "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /\n",
        )
        .response(
            &robots("header.example"),
            200,
            "TDM-Reservation: 1\r\nContent-Usage: train-ai=n\r\n",
            OPEN,
        )
        .file("silent.example", OPEN)
        // The root is the whole site; what holds for a folder says nothing of it.
        .file(
            "root.example",
            "User-agent: *\nContent-Usage: / train-ai=n\nAllow: /\n",
        )
        .file(
            "folder.example",
            "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /reports/ train-ai=y\n\
             Disallow: /\n",
        )
        .ingest();
    assert_eq!(
        ask(
            &dataset,
            "signal-conflicts",
            "agents := ['gptbot']",
            "n n_domains denied_but_allowed denied_and_blocked allowed_but_blocked hosts_in_conflict domains_in_conflict pct_in_conflict"
        ),
        ["6 6 3 2 1 4 4 66.67"]
    );
    assert_eq!(
        ask(&dataset, "tdm-reservations", "", "hosts_using pct_of_hosts"),
        [
            "1 14.29", "1 14.29", "0 0.0", "0 0.0", "0 0.0", "0 0.0", "5 71.43", "5 71.43"
        ]
    );
    assert_eq!(
        ask(
            &dataset,
            "preferences-over-time",
            "",
            "vocabulary hosts hosts_in_file hosts_in_headers hosts_denying"
        ),
        [
            "content-signal 2 2 0 2",
            "content-usage 4 3 1 3",
            "license 0 0 0 0",
            "llm-policy 0 0 0 0",
            "tdm 1 0 1 1"
        ]
    );
}
