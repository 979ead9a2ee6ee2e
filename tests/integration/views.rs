//! The views of `views.sql`, on crawls of a few captures each: what DuckDB answers is what the
//! view's comment promises.

use std::path::Path;

use crate::support::duckdb;
use crate::support::mini_warc::{MiniWarc, robots};

const RULES: &str = "User-agent: *\nDisallow: /private/\n";

#[test]
fn redirects_are_followed_to_a_final_response() {
    let dataset = MiniWarc::new()
        .redirect(&robots("one.example"), &robots("two.example"))
        .redirect(
            &robots("two.example"),
            "https://three.example/other/robots.txt",
        )
        .redirect("https://three.example/other/robots.txt", "/home")
        .answer("https://three.example/home", 200, RULES)
        .redirect(&robots("gone.example"), &robots("nowhere.example"))
        .redirect(&robots("missing.example"), &robots("error.example"))
        .status("error.example", 404)
        .response(&robots("silent.example"), 302, "", "")
        .ingest();
    assert_eq!(
        dataset.lines("SELECT url_host_name, n_redirects, ended, final_url, final_status FROM resolved ORDER BY ALL"),
        [
            "error.example|0|final|https://error.example/robots.txt|404",
            "gone.example|0|not_captured|https://gone.example/robots.txt|301",
            "missing.example|1|final|https://error.example/robots.txt|404",
            "one.example|3|final|https://three.example/home|200",
            "silent.example|0|no_location|https://silent.example/robots.txt|302",
            "two.example|2|final|https://three.example/home|200",
        ]
    );
    assert_eq!(
        dataset.lines("SELECT url_host_name FROM hosts JOIN rules USING (policy_id) ORDER BY ALL"),
        ["one.example", "two.example"],
        "the rules apply to the authority that was asked first"
    );
}

#[test]
fn redirects_end_in_loops_and_after_five_hops() {
    let hop = |number: u32| robots(&format!("hop-{number}.example"));
    let mut warc = MiniWarc::new()
        .redirect(&robots("a.example"), &robots("b.example"))
        .redirect(&robots("b.example"), &robots("a.example"))
        .redirect(&robots("self.example"), &robots("self.example"))
        // A cookie was set; the second request was answered.
        .redirect(&robots("cookie.example"), &robots("cookie.example"))
        .file("cookie.example", RULES);
    for number in 0..6 {
        warc = warc.redirect(&hop(number), &hop(number + 1));
    }
    let dataset = warc.answer(&hop(6), 200, RULES).ingest();
    assert_eq!(
        dataset.lines(
            "SELECT split_part(url_host_name, '.', 1) AS host, n_redirects, ended FROM resolved
             WHERE fetch_status = 301 ORDER BY host"
        ),
        [
            "a|1|loop",
            "b|1|loop",
            "cookie|1|final",
            "hop-0|5|too_many",
            "hop-1|5|final",
            "hop-2|4|final",
            "hop-3|3|final",
            "hop-4|2|final",
            "hop-5|1|final",
            "self|0|loop",
        ]
    );
}

#[test]
fn the_response_that_counts_is_the_best_and_of_these_the_latest() {
    let dataset = MiniWarc::new()
        .file("success.example", "User-agent: old\nDisallow: /\n")
        .file("success.example", RULES)
        .status("success.example", 404)
        .status("allow-all.example", 404)
        .status("allow-all.example", 403)
        .status("forbidden.example", 401)
        .status("forbidden.example", 503)
        .status("defer.example", 429)
        .redirect(&robots("defer.example"), &robots("nowhere.example"))
        .redirect(&robots("redirect.example"), &robots("nowhere.example"))
        .status("redirect.example", 304)
        // Three origins, one host.
        .answer("http://many.example/robots.txt", 200, RULES)
        .file("many.example:8443", RULES)
        .file("many.example:443", RULES)
        .ingest();
    assert_eq!(
        dataset.lines("SELECT origin, url_port, response_class, fetch_status, n_captures FROM origins ORDER BY origin"),
        [
            "http://many.example|80|success|200|1",
            "https://allow-all.example|443|allow_all|404|2",
            "https://defer.example|443|defer|429|2",
            "https://forbidden.example|443|forbidden|401|2",
            "https://many.example|443|success|200|1",
            "https://many.example:8443|8443|success|200|1",
            "https://redirect.example|443|redirect|301|2",
            "https://success.example|443|success|200|3",
        ]
    );
    assert_eq!(
        dataset.lines("SELECT product_token FROM origins JOIN agents USING (policy_id) WHERE origin = 'https://success.example'"),
        ["*"],
        "of two successes the later one counts"
    );
    assert_eq!(
        dataset.lines("SELECT origin FROM hosts WHERE url_host_name = 'many.example'"),
        ["https://many.example"]
    );
    assert_eq!(
        dataset.lines(
            "SELECT fetch_status FROM latest_captures WHERE url_host_name = 'success.example'"
        ),
        ["404"],
        "the latest capture is just that"
    );
}

#[test]
fn crawlers_take_their_own_group_or_a_fallback_or_the_one_for_all() {
    let dataset = MiniWarc::new()
        .file(
            "named.example",
            "User-agent: Applebot\nDisallow: /\nUser-agent: Googlebot\nDisallow: /g\n\
             User-agent: *\nDisallow:\n",
        )
        .file(
            "fallback.example",
            "User-agent: googlebot\nDisallow: /g\nCrawl-delay: 7\nUser-agent: *\nDisallow: /\n",
        )
        .file("wildcard.example", "User-agent: *\nDisallow: /\n")
        .file("none.example", "User-agent: MJ12bot\nDisallow: /\n")
        .ingest();
    let of = |agents: &str| {
        dataset.lines(&format!(
                "SELECT split_part(url_host_name, '.', 1) AS host, source, matched_token, restriction, restriction_cc
                 FROM {agents} JOIN hosts USING (policy_id) ORDER BY host"
            ))
    };
    let applebot = [
        "fallback|fallback|googlebot|partial|allow_part",
        "named|own|applebot|full|disallow_all",
        "none|none|NULL|none|allow_all",
        "wildcard|wildcard|*|full|disallow_all",
    ];
    assert_eq!(
        of("(FROM effective_agents WHERE product_token = 'applebot')"),
        applebot
    );
    assert_eq!(of("effective_agent('Applebot/0.1')"), applebot);
    assert_eq!(
        of("effective_agent('MJ12bot')")[2],
        "none|own|mj12bot|full|disallow_all"
    );
    assert_eq!(
        of("(FROM effective_agents WHERE product_token = 'adsbot-google')")[3],
        "wildcard|none|NULL|none|allow_all",
        "it passes the group for * over"
    );
    assert_eq!(
        dataset.lines("SELECT count(*) = (SELECT count(*) FROM policies) * (SELECT count(*) FROM agent_catalog) AS complete,
                count(DISTINCT (policy_id, product_token)) = count(*) AS is_unique
             FROM effective_agents"),
        ["true|true"]
    );
}

#[test]
fn preferences_hold_for_the_crawlers_of_their_group_or_for_all() {
    let body = "License: https://named.example/l.xml\n\
                User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /x\n\
                User-agent: FriendlyBot\nContent-Signal: ai-train=yes\n\
                Content-Usage: /a/ train-ai=n\n\
                TDM-Reservation: 1\nAllow: /\n";
    let dataset = MiniWarc::new().file("named.example", body).ingest();
    let of = |name: &str| {
        dataset.lines(&format!(
                "SELECT vocabulary, path, preference, value, allows FROM effective_preferences('{name}')
                 ORDER BY line_number, preference"
            ))
    };
    let (license, reserved) = (
        "license|NULL|license|https://named.example/l.xml|NULL",
        "tdm|NULL|tdm-reservation|1|false",
    );
    assert_eq!(
        of("AnyBot"),
        [
            license,
            "content-signal|NULL|ai-train|no|false",
            "content-signal|NULL|search|yes|true",
            reserved,
        ]
    );
    assert_eq!(
        of("FriendlyBot/2.0"),
        [
            license,
            "content-signal|NULL|ai-train|yes|true",
            "content-usage|/a/|train-ai|n|false",
            reserved,
        ]
    );
}

#[test]
fn hosts_signal_in_robots_txt_and_in_headers() {
    let headers = "Content-Signal: ai-train=no, Search=YES, use=Full\r\n\
                   Content-Usage: train-ai=n;x=1\r\n\
                   Content-Usage: search=maybe\r\nTDM-Reservation: 1\r\n\
                   TDM-Policy: https://site.example/tdm,1.json\r\n\
                   Link: </a>; rel=preload, </l.xml>; rel=\"license\"; type=\"application/rsl+xml\"\r\n";
    let dataset = MiniWarc::new()
        .response(
            &robots("site.example"),
            200,
            headers,
            "User-agent: a\nUser-agent: b\nContent-Signal: search=no,use=reference\nDisallow: /\n\
             TDM-Policy: /tdm\n",
        )
        .file("silent.example", RULES)
        .response(&robots("gone.example"), 404, "TDM-Reservation: 0\r\n", "")
        .ingest();
    assert_eq!(
        dataset.lines("SELECT split_part(url_host_name, '.', 1) AS host, source, product_tokens, vocabulary, preference, value, allows, level
             FROM host_signals ORDER BY ALL"),
        [
            "gone|header|NULL|tdm|tdm-reservation|0|true|NULL",
            "site|header|NULL|content-signal|ai-train|no|false|NULL",
            "site|header|NULL|content-signal|search|YES|true|NULL",
            "site|header|NULL|content-signal|use|Full|NULL|full",
            "site|header|NULL|content-usage|search|maybe|NULL|NULL",
            "site|header|NULL|content-usage|train-ai|n;x=1|false|NULL",
            "site|header|NULL|license|license|/l.xml|NULL|NULL",
            "site|header|NULL|tdm|tdm-policy|https://site.example/tdm,1.json|NULL|NULL",
            "site|header|NULL|tdm|tdm-reservation|1|false|NULL",
            "site|robots.txt|[a, b]|content-signal|search|no|false|NULL",
            "site|robots.txt|[a, b]|content-signal|use|reference|NULL|reference",
            "site|robots.txt|NULL|tdm|tdm-policy|/tdm|NULL|NULL",
        ]
    );
}

#[test]
fn changes_are_between_answers_that_settle_the_rules() {
    let url = robots("site.example");
    let dataset = MiniWarc::new()
        .answer(
            &url,
            200,
            "User-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /\n\
             User-agent: c\nDisallow:\n",
        )
        .answer(
            &url,
            200,
            "# A comment\nUser-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /\n\
             User-agent: c\nDisallow:\n",
        )
        .answer(&url, 503, "")
        .answer(
            &url,
            200,
            "User-agent: *\nDisallow: /\nUser-agent: c\nDisallow:\nUser-agent: d\n\
             Disallow: /\n",
        )
        .answer(&url, 404, "")
        .file("once.example", RULES)
        .ingest();
    assert_eq!(
        dataset.lines("SELECT minute(fetch_time_before) AS before, minute(fetch_time) AS after, final_status,
                policy_id IS NULL AS without, agents_added, agents_removed, agents_stricter, agents_looser
             FROM changes ORDER BY fetch_time"),
        [
            "2|4|200|false|[d]|[b]|[*]|[]",
            "4|5|404|true|[]|[*, c, d]|[]|[]",
        ]
    );
}

#[test]
fn views_are_silent_and_work_without_captures() {
    let dataset = MiniWarc::new().ingest();
    assert_eq!(duckdb::print(&dataset.views(), ""), "");
    for view in [
        "captures",
        "latest_captures",
        "resolved",
        "origins",
        "hosts",
        "effective_agents",
        "effective_agent('any')",
        "effective_preferences('any')",
        "host_signals",
        "preferences",
        "policy_changes",
        "changes",
    ] {
        let sql = format!("SELECT count(*)::INTEGER AS n FROM {view}");
        assert_eq!(dataset.lines(&sql), ["0"], "{view}");
    }
}

#[test]
fn a_dataset_can_be_moved() {
    let dataset = MiniWarc::new().file("site.example", RULES).ingest();
    let moved = dataset.path().with_file_name("it's moved");
    std::fs::rename(dataset.path(), &moved).expect("renamed");
    let quoted = moved.to_string_lossy().replace('\'', "''");
    let sql = format!(
        "SET VARIABLE dataset = '{quoted}';\n.read \"{}\"\nSELECT count(*)::INTEGER AS n FROM captures;",
        moved.join("views.sql").display()
    );
    assert_eq!(duckdb::lines(Path::new("/dev/null"), &sql), ["1"]);
}

/// Every pattern of up to four characters, also after a prefix, with every path of up to four.
#[test]
fn a_path_has_the_key_of_every_pattern_that_matches_it() {
    let dataset = MiniWarc::new().file("site.example", RULES).ingest();
    let texts = |signs: &str, longest: usize| {
        format!(
            "WITH RECURSIVE texts AS (
                SELECT '' AS text UNION ALL
                SELECT text || sign FROM texts, (SELECT unnest(string_split('{signs}', '')) AS sign)
                WHERE length(text) < {longest}
            ) SELECT text FROM texts"
        )
    };
    let beginnings = "(SELECT unnest(['', '/abc', '/abc/defgh']) AS beginning)";
    let sql = format!(
        "CREATE TEMP TABLE patterns AS
            SELECT text AS pattern FROM ({}) UNION
            SELECT beginning || text FROM ({}), {beginnings};
        CREATE TEMP TABLE paths AS
            SELECT DISTINCT if(beginning = '', '/', beginning) || text AS path FROM ({}), {beginnings};
        CREATE TEMP TABLE matches AS
            SELECT path, pattern FROM paths, patterns WHERE pattern_matches(path, pattern, like_of(pattern));
        SELECT count(*) > 10000 FROM matches;
        SELECT path, pattern FROM matches
        EXCEPT SELECT path, pattern FROM keyed_paths('paths') JOIN patterns ON pattern_key(pattern) = key;",
        texts("/a.?*$", 4),
        texts("/a.?*$", 3),
        texts("/a.?*", 3),
    );
    assert_eq!(dataset.lines(&sql), ["true"]);
}
