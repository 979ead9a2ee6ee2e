//! Intervals of shares, recounted; `tests/cases/shares.md` has the shares.

use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::duckdb::{self, number};
use crate::support::mini_warc::{Dataset, MiniWarc};
use crate::support::program::{robostat, text};

const ALLOWED: &str = "User-agent: *\nDisallow:\n";
const NO_GPTBOT: &str = "User-agent: *\nDisallow: /a\nUser-agent: GPTBot\nDisallow: /\n";

/// Domains of unlike sizes, of which some block in part.
fn unlike_domains() -> Dataset {
    let mut warc = MiniWarc::new();
    for domain in 0..60 {
        for host in 0..=(domain * 7) % 5 {
            let blocks = (domain * 11 + host * 3) % 6 == 0;
            let body = if blocks { NO_GPTBOT } else { ALLOWED };
            let name = format!("h{host}.example-{domain}.com");
            warc = warc.file(&name, body);
        }
    }
    warc.ingest()
}

#[test]
fn intervals_are_those_of_a_bootstrap_over_domains() {
    let dataset = unlike_domains();
    for by in ["host", "domain"] {
        let sql = format!("FROM ai_agents_most_blocked(agents := ['gptbot'], \"by\" := '{by}')");
        let row = &dataset.rows(&sql)[0];
        let (low, high) = (number(row, "pct_low"), number(row, "pct_high"));
        let sql = format!(
            "SELECT domain, sum(weight) AS w, coalesce(sum(weight) FILTER (restriction = 'full'), 0) AS y
             FROM hosts_by('answered', NULL, '{by}', NULL)
             LEFT JOIN effective_agents_of(['gptbot']) USING (policy_id)
             GROUP BY domain"
        );
        let domains: Vec<(f64, f64)> = dataset
            .rows(&sql)
            .iter()
            .map(|row| (number(row, "y"), number(row, "w")))
            .collect();
        assert_eq!(domains.len(), 60);
        let shares = resampled(&domains, 4000);
        let mean = shares.iter().sum::<f64>() / 4000.0;
        let variance = shares
            .iter()
            .map(|share| (share - mean).powi(2))
            .sum::<f64>()
            / 3999.0;
        // A bootstrap of few domains is a little too narrow, and domains that mostly agree add
        // what it does not see.
        let half = 100.0 * 1.96 * variance.sqrt();
        let found = (high - low) / 2.0;
        assert!(
            (0.95..1.35).contains(&(found / half)),
            "{by}: {found} and {half}"
        );
        let share = number(row, "pct_full_by_name");
        assert!(low < share && share < high, "{row}");
        let expected = reference(&domains, 0.0);
        assert!(
            (low - expected.0).abs() < 0.006 && (high - expected.1).abs() < 0.006,
            "{row}, {expected:?}"
        );
    }
}

/// Shares of samples of domains, drawn with replacement.
fn resampled(domains: &[(f64, f64)], samples: usize) -> Vec<f64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let at = state % domains.len() as u64;
        domains[usize::try_from(at).expect("a place")]
    };
    (0..samples)
        .map(|_| {
            let (mut y, mut w) = (0.0, 0.0);
            for _ in domains {
                let (of_domain, weight) = draw();
                y += of_domain;
                w += weight;
            }
            y / w
        })
        .collect()
}

/// The ends of the interval of a share in per cent, from clusters themselves: pairs of what is
/// counted and of what it is a part of. The share is between 0 and 1.
fn reference(clusters: &[(f64, f64)], drawn: f64) -> (f64, f64) {
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| clusters.iter().map(of).sum::<f64>();
    let (y, w) = (sum(&|it| it.0), sum(&|it| it.1));
    let share = y / w;
    let squares = sum(&|it| it.1 * it.1);
    let effective = w * w / squares;
    let linear = sum(&|it| (it.0 - share * it.1).powi(2)) / (w * w) * effective / (effective - 1.0);
    let mixed = sum(&|it| it.0 * (it.1 - it.0)) / (w * w);
    let together = share * (1.0 - share) / effective;
    let seen = linear.max(together - mixed);
    let counted = y * y / sum(&|it| it.0 * it.0);
    let others = (w - y).powi(2) / sum(&|it| (it.1 - it.0).powi(2));
    let doubt = (2.0 / counted.min(others).powi(2)).min(1.0);
    let n = share * (1.0 - share) / (seen + doubt * (together - seen).max(0.0));
    let degrees = effective - 1.0;
    // Abramowitz and Stegun, 26.7.5.
    let normal: f64 = 1.959_964;
    let t = normal
        + (normal.powi(3) + normal) / 4.0 / degrees
        + (5.0 * normal.powi(5) + 16.0 * normal.powi(3) + 3.0 * normal) / 96.0 / degrees.powi(2)
        + (3.0 * normal.powi(7) + 19.0 * normal.powi(5) + 17.0 * normal.powi(3) - 15.0 * normal)
            / 384.0
            / degrees.powi(3)
        + (79.0 * normal.powi(9) + 776.0 * normal.powi(7) + 1482.0 * normal.powi(5)
            - 1920.0 * normal.powi(3)
            - 945.0 * normal)
            / 92_160.0
            / degrees.powi(4);
    let score = |count: f64, t: f64| {
        let root = (count * (n - count) / n + t * t / 4.0).sqrt();
        (count + t * t / 2.0 + t * root) / (n + t * t)
    };
    let half = |is_rarer: bool| if is_rarer { 0.5 } else { 0.0 };
    let low = score(share * n - half(share <= 0.5), -t);
    let high = score(share * n + half(share >= 0.5), t);
    let spread = (1.0 - drawn).sqrt();
    (
        100.0 * (share - spread * (share - low)),
        100.0 * (share + spread * (high - share)),
    )
}

#[test]
fn where_inputs_are_a_sample_intervals_take_them_as_clusters() {
    let folder = tempdir().expect("a directory");
    let mut list = String::new();
    for input in 0..12 {
        let mut warc = MiniWarc::new();
        for host in 0..5 {
            // Whole inputs block, others do not: domains would not show it. Every third input
            // shares a domain with all such.
            let domain = if input % 3 == 0 && host == 0 {
                "shared.example".to_owned()
            } else {
                format!("site{input}x{host}.example")
            };
            let body = if (input + host) % 6 < 3 {
                NO_GPTBOT
            } else {
                ALLOWED
            };
            warc = warc.file(&format!("www{input}.{domain}"), body);
        }
        let name = format!("part-{input:02}.warc");
        fs::write(folder.path().join(&name), warc.bytes()).expect("written");
        list.extend([&*name, "\n"]);
    }
    fs::write(folder.path().join("list"), list).expect("written");
    let mut command = robostat(["ingest", "--quiet", "--subset", "robotstxt"]);
    command.args(["--sample", "9", "--seed", "1", "--files-from", "list"]);
    command.arg(folder.path().join("out"));
    let run = command.current_dir(folder.path()).output().expect("runs");
    assert!(run.status.success(), "{}", text(&run));
    let views = folder.path().join("out/views.sql");
    let ask = |sql: &str| duckdb::run(&views, sql);

    let clusters = ask("SELECT
            count(*) FILTER (own.policy_id IS NOT NULL) AS y,
            count(*) AS w
        FROM hosts
        LEFT JOIN (FROM agents WHERE product_token = 'gptbot') AS own USING (policy_id)
        GROUP BY input_id");
    let clusters: Vec<(f64, f64)> = clusters
        .iter()
        .map(|row| (number(row, "y"), number(row, "w")))
        .collect();
    assert_eq!(clusters.len(), 9);
    // 9 inputs of 12 that are known.
    let (low, high) = reference(&clusters, 0.75);
    let domains = ask("SELECT count(DISTINCT domain) AS n FROM hosts");
    let domains = number(&domains[0], "n");
    for (sql, bounds) in [
        (
            "FROM agents_at_a_glance(agents := ['gptbot'])",
            ["pct_low", "pct_high"],
        ),
        (
            "FROM agent_adoption(agents := ['gptbot'])",
            ["pct_low", "pct_high"],
        ),
        (
            "FROM ai_agents_most_blocked(agents := ['gptbot'])",
            ["pct_low", "pct_high"],
        ),
        (
            "FROM agent_restrictions_over_time(agents := ['gptbot'])",
            ["pct_low", "pct_high"],
        ),
        (
            "FROM ai_agents_per_host() WHERE ai_agents_blocked = 1",
            ["pct_low", "pct_high"],
        ),
        (
            "FROM key_shares() WHERE measure = 'blocks_ai'",
            ["pct_low", "pct_high"],
        ),
    ] {
        let row = &ask(sql)[0];
        let found = bounds.map(|column| number(row, column));
        assert!(
            (found[0] - low).abs() < 0.006 && (found[1] - high).abs() < 0.006,
            "{sql}: {found:?}, {low} to {high} expected"
        );
        if row.get("n_domains").is_some_and(Value::is_number) {
            assert!((number(row, "n_domains") - domains).abs() < 0.5, "{row}");
        }
    }
    // What is said of domains stays so.
    let row = &ask("FROM agents_at_a_glance(agents := ['gptbot'])")[0];
    let by_domain = ask("SELECT 100 * avg(part) AS share FROM (
            SELECT avg((own.policy_id IS NOT NULL)::INTEGER) AS part
            FROM hosts
            LEFT JOIN (FROM agents WHERE product_token = 'gptbot') AS own USING (policy_id)
            GROUP BY domain
        )");
    let by_domain = number(&by_domain[0], "share");
    assert!(
        (number(row, "pct_of_domains") - by_domain).abs() < 0.006,
        "{row}"
    );
    let of_hosts = &ask("FROM ai_agents_most_blocked(agents := ['gptbot'], \"by\" := 'domain')")[0];
    for end in ["low", "high"] {
        let found = number(row, &format!("pct_of_domains_{end}"));
        let expected = number(of_hosts, &format!("pct_{end}"));
        assert!((found - expected).abs() < 0.006, "{row} {of_hosts}");
    }
}
