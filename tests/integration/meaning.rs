//! Who is blocked, by whose lines and signals: answers follow what a policy means for a crawler.

use crate::support::mini_warc::{MiniWarc, robots};

#[test]
fn a_crawler_is_blocked_by_its_fallbacks_group_too() {
    let block = |agent: &str| format!("User-agent: {agent}\nDisallow: /\n");
    let dataset = MiniWarc::new()
        // Applebot takes Googlebot's group.
        .file("fallback.example", &block("Googlebot"))
        .file(
            "spared.example",
            &format!("{}User-agent: Applebot\nDisallow:\n", block("Googlebot")),
        )
        .file("everybody.example", &block("*"))
        .file("own.example", &block("GPTBot"))
        .file("other.example", &block("AhrefsBot"))
        .ingest();
    assert_eq!(
        dataset.lines("SELECT measure, pct, n FROM key_shares() WHERE measure IN ('blocks_ai', 'blocks_ai_by_any')"),
        ["blocks_ai|20.0|5", "blocks_ai_by_any|60.0|5"]
    );
    // The same from every policy's answer to every crawler of the catalogue.
    assert_eq!(
        dataset.lines("SELECT DISTINCT split_part(url_host_name, '.', 1) AS host
             FROM hosts JOIN effective_agents USING (policy_id) JOIN agent_catalog USING (product_token)
             WHERE is_ai AND restriction = 'full' ORDER BY host"),
        ["everybody", "fallback", "own"]
    );
}

#[test]
fn a_wildcard_blocks_only_crawlers_that_are_left_to_it() {
    let groups = "User-agent: *\nDisallow: /\n\nUser-agent: Known\nDisallow:\n";
    let dataset = MiniWarc::new().file("a.example", groups).ingest();
    let blocked = |catalog: &str| {
        dataset.lines(&format!(
            "CREATE OR REPLACE VIEW agent_catalog AS FROM ({catalog});
                 SELECT pct FROM key_shares() WHERE measure = 'blocks_ai_by_any'"
        ))
    };
    let row = |token: &str| {
        format!(
            "SELECT '{token}' AS product_token, 'ai training' AS category, true AS is_ai, 'lists' AS is_ai_basis,
                 NULL AS fallback_token, true AS obeys_wildcard"
        )
    };
    assert_eq!(blocked(&row("known")), ["0.0"]);
    assert_eq!(
        blocked(&format!("{} UNION ALL {}", row("known"), row("other"))),
        ["100.0"]
    );
}

#[test]
fn a_signal_holds_for_the_crawlers_of_its_group_alone() {
    let signal = "Content-Signal: ai-train=no\n";
    let dataset = MiniWarc::new()
        .file(
            "google.example",
            &format!(
                "User-agent: Googlebot\n{signal}Disallow: /a\n\nUser-agent: GPTBot\nDisallow:\n"
            ),
        )
        .file(
            "both.example",
            &format!("User-agent: GPTBot\nUser-agent: CCBot\n{signal}Disallow:\n"),
        )
        .file(
            "all.example",
            &format!("User-agent: *\n{signal}Disallow:\n"),
        )
        .ingest();
    assert_eq!(
        dataset.lines("SELECT product_token, hosts_in_conflict, n
             FROM signal_conflicts(agents := ['GPTBot', 'CCBot', 'Googlebot', 'ClaudeBot']) ORDER BY product_token"),
        ["ccbot|2|2", "claudebot|1|1", "googlebot|1|2", "gptbot|2|2"]
    );
}

#[test]
fn headers_are_those_at_the_end_of_redirects() {
    let dataset = MiniWarc::new()
        .response(
            &robots("first.example"),
            301,
            "Location: https://www.first.example/robots.txt\r\nContent-Signal: ai-train=no\r\n",
            "",
        )
        .file("www.first.example", "User-agent: *\nDisallow:\n")
        .redirect(
            &robots("last.example"),
            "https://www.last.example/robots.txt",
        )
        .response(
            "https://www.last.example/robots.txt",
            200,
            "Content-Signal: ai-train=no\r\n",
            "User-agent: *\nDisallow:\n",
        )
        // The header is gone from the capture that the redirect leads to.
        .redirect(
            &robots("gone.example"),
            "https://www.gone.example/robots.txt",
        )
        .response(
            "https://www.gone.example/robots.txt",
            200,
            "Content-Signal: ai-train=no\r\n",
            "User-agent: *\nDisallow:\n",
        )
        .file("www.gone.example", "User-agent: *\nDisallow:\n")
        .ingest();
    assert_eq!(
        dataset.lines(
            "SELECT url_host_name FROM host_signals WHERE source = 'header' ORDER BY url_host_name"
        ),
        ["last.example", "www.last.example"]
    );
    assert_eq!(
        dataset.lines("SELECT hosts_in_conflict, n FROM signal_conflicts(agents := ['gptbot'])"),
        ["2|2"]
    );
}

/// `ai training` is an operator's word. Bytespider's operator has no page about it, and CCBot's
/// names an open repository.
#[test]
fn only_operators_make_a_crawler_one_for_training() {
    let block = |agent: &str| format!("User-agent: {agent}\nDisallow: /\n");
    let dataset = MiniWarc::new()
        .file("a.example", &block("Bytespider"))
        .file("b.example", &block("CCBot"))
        .file("c.example", &block("GPTBot"))
        .ingest();
    assert_eq!(
        dataset.lines("SELECT category, hosts_full FROM agent_categories() ORDER BY category"),
        ["ai by lists|1", "ai training|1", "web archiving|1"]
    );
    assert_eq!(
        dataset.lines(
            "SELECT measure, hosts FROM key_shares()
             WHERE measure IN ('blocks_ai', 'training_not_search') ORDER BY measure"
        ),
        ["blocks_ai|3", "training_not_search|1"]
    );
    assert_eq!(
        dataset.lines(
            "SELECT product_token, category, is_ai_basis FROM agents_at_a_glance() ORDER BY ALL"
        ),
        [
            "bytespider|ai by lists|lists",
            "ccbot|web archiving|lists",
            "gptbot|ai training|operator"
        ]
    );
    assert_eq!(
        dataset.lines("SELECT purposes, is_ai FROM agent_catalog WHERE product_token = 'petalbot'"),
        ["[search engine, ai search]|true"]
    );
}

#[test]
fn policies_that_mean_the_same_have_one_meaning_id() {
    let plain = "User-agent: *\nDisallow: /a\nAllow: /a/b\n\nUser-agent: x\nDisallow: /\n";
    let same = [
        plain.to_owned(),
        "User-agent: X\nDisallow: /*\nUser-agent: *\nAllow: /a/b*\nDisallow: /%61\n".to_owned(),
        format!("{plain}Crawl-delay: 5\n\nUser-agent: y\nDisallow: /a\nAllow: /a/b\n"),
    ];
    let mut archive = MiniWarc::new();
    for (index, body) in same.iter().enumerate() {
        archive = archive.file(&format!("same{index}"), body);
    }
    let other = plain.replace("/a/b", "/a/b$");
    let dataset = archive.file("other.example", &other).ingest();
    let sql = "SELECT count(DISTINCT policy_id), count(DISTINCT meaning_id), count(meaning_id) FROM policies";
    assert_eq!(dataset.lines(sql), ["4|2|4"]);
}

#[test]
fn crawlers_compare_with_all_others_and_rules_that_decide_nothing_are_told() {
    let body = "User-agent: *\nDisallow: /a\nDisallow: /a*\nDisallow: b\nDissallow: /c\n\n\
        User-agent: shut\nDisallow: /\n\n\
        User-agent: open\nDisallow:\n\n\
        User-agent: same\nDisallow: /a*\n\n\
        User-agent: mixed\nDisallow: /b\n\n\
        User-agent: 360spider\nDisallow: /\n";
    let dataset = MiniWarc::new().file("a.example", body).ingest();
    assert_eq!(
        dataset.lines(
            "SELECT product_token, coalesce(versus_wildcard, 'null') FROM agents ORDER BY ALL"
        ),
        // By RFC 9309 no line names 360spider.
        [
            "*|null",
            "360spider|equal",
            "mixed|mixed",
            "open|looser",
            "same|equal",
            "shut|stricter"
        ]
    );
    assert_eq!(
        dataset.lines("SELECT line_number FROM rules WHERE is_dead ORDER BY ALL"),
        ["2", "4", "5", "20"]
    );
}
