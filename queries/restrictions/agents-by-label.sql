-- How do groups of sites that you name differ: files, AI crawlers named and blocked?
--
-- Topic: Who may crawl.
-- Keywords: news sites, sector, category, industry, country, own list of sites, groups.
-- Reproduces: reputable and other news sites of Steinacker-Olsztyn (2025); lengths, lines and
--   agents by Curlie category of Dinzinger's survey; adoption by sector of Sun et al., WWW 2007.
-- Denominator: hosts of the label, each once per crawl; shares are of those that answered
--   conclusively (with a file, or without one; n), means of those with rules. "all" is every host.
--   Without labels, all. pct_low and pct_high are the ends of the 95% interval of
--   pct_blocking_ai_agents, with registrable domains as clusters.
-- Parameters: crawl, labels (path of a CSV or Parquet file with domain and label), by, weights.
CREATE OR REPLACE MACRO agents_by_label(
    crawl VARCHAR := NULL,
    labels VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH labelled AS MATERIALIZED (
        SELECT url_host_name, NULL::VARCHAR AS stratum FROM hosts_in('captured', crawl)
        UNION ALL
        SELECT url_host_name, label FROM host_labels_of(labels)
    ),
    captured AS (
        SELECT stratum, count(*) AS hosts
        FROM labelled
        SEMI JOIN hosts_in('captured', crawl) AS hosts USING (url_host_name)
        GROUP BY stratum
    ),
    population AS MATERIALIZED (
        SELECT hosts.* EXCLUDE (stratum), labelled.stratum, agents, blocked
        FROM host_files_by('answered', crawl, "by", weights) AS hosts
        JOIN labelled USING (url_host_name)
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id
    ),
    counted AS (
        SELECT *, 'with_rules' AS part FROM population WHERE has_rules
        UNION ALL
        SELECT *, 'naming' FROM population WHERE agents > 0
        UNION ALL
        SELECT *, 'blocking' FROM population WHERE blocked > 0
    ),
    parts AS (SELECT unnest(['with_rules', 'naming', 'blocking']) AS part),
    shared AS (
        SELECT
            stratum,
            any_value(share) FILTER (part = 'with_rules') AS pct_with_rules,
            any_value(share) FILTER (part = 'naming') AS pct_naming_ai_agents,
            any_value(share) FILTER (part = 'blocking') AS pct_blocking_ai_agents,
            any_value(low) FILTER (part = 'blocking') AS pct_low,
            any_value(high) FILTER (part = 'blocking') AS pct_high,
            any_value(n) AS n,
            any_value(note) FILTER (part = 'blocking') AS note
        FROM shares('counted', 'population', 'parts') AS shares
        GROUP BY stratum
    ),
    means AS (
        SELECT
            stratum,
            round(avg(blocked) FILTER (blocked > 0), 2) AS mean_ai_agents_blocked,
            round(avg(content_length) FILTER (has_rules), 0) AS mean_bytes,
            round(avg(n_lines) FILTER (has_rules), 1) AS mean_lines,
            round(avg(n_agents) FILTER (has_rules), 2) AS mean_agents
        FROM population
        GROUP BY stratum
    )
    SELECT
        coalesce(captured.stratum, 'all') AS label,
        captured.hosts AS hosts_captured,
        pct_with_rules,
        pct_naming_ai_agents,
        pct_blocking_ai_agents,
        pct_low,
        pct_high,
        mean_ai_agents_blocked,
        mean_bytes,
        mean_lines,
        mean_agents,
        coalesce(n, 0) AS n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM captured
    LEFT JOIN shared ON shared.stratum IS NOT DISTINCT FROM captured.stratum
    LEFT JOIN means ON means.stratum IS NOT DISTINCT FROM captured.stratum
    ORDER BY captured.stratum NULLS FIRST;
