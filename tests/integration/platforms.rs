//! Who wrote a file: platforms and owners, in the tables and in what is counted.

use crate::support::mini_warc::{Dataset, MiniWarc};

/// What Cloudflare puts before a file.
const MANAGED: &str = "# BEGIN Cloudflare Managed content\n\n\
                       User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\n\
                       Allow: /\n\nUser-agent: GPTBot\nDisallow: /\n\n\
                       # END Cloudflare Managed Content\n\n";
const WORDPRESS: &str = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
const OWN: &str = "User-agent: *\nDisallow: /cart\n\nUser-agent: gptbot\nDisallow: /\n";

fn dataset() -> Dataset {
    MiniWarc::new()
        .file("managed.example", MANAGED)
        .file("both.example", &format!("{MANAGED}{OWN}"))
        .file("default.example", &format!("{MANAGED}{WORDPRESS}"))
        .file("own.example", OWN)
        .file("plain.example", WORDPRESS)
        .ingest()
}

/// The host of a file, and the rest of the columns.
fn of_hosts(columns: &str) -> String {
    format!(
        "SELECT split_part(url_host_name, '.', 1) AS host, {columns} FROM hosts JOIN files USING (file_id)"
    )
}

#[test]
fn parts_of_files_are_rows_and_owners_have_policies_of_their_own() {
    let dataset = dataset();
    assert_eq!(
        dataset.lines(&format!(
            "{} ORDER BY host",
            of_hosts("platform, platform_version, n_groups, n_platform_groups")
        )),
        [
            "both|cloudflare|content-signal-use|4|2",
            "default|cloudflare|content-signal-use|3|3",
            "managed|cloudflare|content-signal-use|2|2",
            "own|NULL|NULL|2|0",
            "plain|wordpress|4.4|1|1",
        ]
    );
    assert_eq!(
        dataset.lines("SELECT split_part(url_host_name, '.', 1) AS host, part_index, platforms.platform, line_start, line_end,
                group_first, group_last
             FROM hosts JOIN platforms USING (file_id) ORDER BY host, part_index"),
        [
            "both|0|cloudflare|1|10|0|1",
            "default|0|cloudflare|1|10|0|1",
            "default|1|wordpress|12|14|2|2",
            "managed|0|cloudflare|1|10|0|1",
            "plain|0|wordpress|1|3|0|0",
        ]
    );
    // What the owner wrote under a block is the policy of a file that has nothing else.
    assert_eq!(
        dataset.lines("WITH of_host AS (
                SELECT split_part(url_host_name, '.', 1) AS host, files.policy_id, owner_policy_id
                FROM hosts JOIN files USING (file_id)
             )
             SELECT
                (SELECT count(DISTINCT owner_policy_id) FROM of_host WHERE host IN ('both', 'own')),
                (SELECT count(DISTINCT owner_policy_id) FROM of_host WHERE host IN ('managed', 'default', 'plain')),
                (SELECT n_rules FROM policies WHERE policy_id = (SELECT owner_policy_id FROM of_host WHERE host = 'plain')),
                (SELECT policy_id = owner_policy_id FROM of_host WHERE host = 'own')"),
        ["1|1|0|true"]
    );
    assert_eq!(
        dataset.lines("SELECT split_part(url_host_name, '.', 1) AS host, group_index, file_groups.platform, product_tokens
             FROM hosts JOIN file_groups USING (file_id) WHERE host IN ('both', 'own') ORDER BY ALL"),
        [
            "both|0|cloudflare|[*]",
            "both|1|cloudflare|[gptbot]",
            "both|2|NULL|[*]",
            "both|3|NULL|[gptbot]",
            "own|0|NULL|[*]",
            "own|1|NULL|[gptbot]",
        ]
    );
}

#[test]
fn what_owners_chose_is_told_from_what_a_platform_chose() {
    let dataset = dataset();
    let columns = "made_by, n, hosts_named, hosts_full_by_name, pct_full_by_name";
    assert_eq!(
        dataset.lines(&format!(
            "SELECT {columns} FROM owner_choices(agents := ['GPTBot']) ORDER BY made_by"
        )),
        ["all|5|4|4|80.0", "default|5|2|2|40.0", "own|5|2|2|40.0"]
    );
    assert_eq!(
        dataset.lines(
            "SELECT n, hosts_full_by_name, pct_full_by_name
             FROM ai_agents_most_blocked(agents := ['gptbot'], population := 'answered_by_owner')"
        ),
        ["5|2|40.0"]
    );
    assert_eq!(
        dataset.lines("SELECT hosts, n FROM agent_adoption(agents := ['gptbot'], population := 'with_rules_by_owner')"),
        ["2|2"]
    );
    assert_eq!(
        dataset.lines("SELECT preference, answer, hosts, hosts_by_template FROM content_signals() ORDER BY preference"),
        [
            "ai-train|denied|3|3",
            "search|allowed|3|3",
            "use|reference|3|3",
        ]
    );
    assert_eq!(
        dataset.lines("SELECT platform, version, hosts, pct_of_hosts_with_file, pct_untouched, pct_changed, pct_blocking_ai_agents
             FROM platform_shares()"),
        [
            "cloudflare|NULL|3|60.0|66.67|0.0|100.0",
            "cloudflare|content-signal-use|3|60.0|66.67|0.0|100.0",
            "wordpress|NULL|2|40.0|100.0|0.0|0.0",
            "wordpress|4.4|2|40.0|100.0|0.0|0.0",
        ]
    );
}

#[test]
fn queries_agree_on_who_chose_a_block() {
    // The owner allows what the platform blocks, and blocks all where the platform blocks one.
    let dataset = MiniWarc::new()
        .file("managed.example", MANAGED)
        .file("both.example", &format!("{MANAGED}{OWN}"))
        .file("own.example", OWN)
        .file(
            "lifted.example",
            &format!("{MANAGED}User-agent: GPTBot\nAllow: /\n"),
        )
        .file(
            "all.example",
            &format!("{MANAGED}User-agent: *\nDisallow: /\n"),
        )
        .file("plain.example", WORDPRESS)
        .ingest();
    assert_eq!(
        dataset.lines(
            "SELECT made_by, hosts_full_by_name, pct_of_blocking
             FROM owner_choices(agents := ['gptbot']) ORDER BY made_by"
        ),
        ["all|4|100.0", "default|2|50.0", "own|2|50.0"]
    );
    assert_eq!(
        dataset.lines(
            "SELECT part, hosts_full, round(pct_full_by_name * n / 100)::INTEGER, pct_of_blocking
             FROM blocked_by_whom() WHERE kind IN ('all', 'lines') ORDER BY part"
        ),
        ["all|4|4|100.0", "default|1|2|25.0", "own|3|2|75.0"]
    );
}
