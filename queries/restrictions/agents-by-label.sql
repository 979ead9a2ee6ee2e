-- How do groups of sites that you name differ: files, AI crawlers named and blocked?
--
-- Keywords: news sites, sector, category, industry, country, own list of sites, groups.
-- Reproduces: reputable and other news sites of Steinacker-Olsztyn (2025); lengths, lines and
--   agents by Curlie category of Dinzinger's survey; adoption by sector of Sun et al., WWW 2007.
-- Denominator: hosts of the label that answered conclusively (n); means of sizes are of those with
--   rules, mean_ai_agents_blocked of those that block one. "all" is every host.
CREATE OR REPLACE MACRO agents_by_label(
    crawl VARCHAR := NULL, labels VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL
) AS TABLE
    WITH labelled AS MATERIALIZED (
        SELECT url_host_name, 'all' AS stratum FROM hosts_in('captured', crawl)
        UNION ALL
        -- A label of that name is another one.
        SELECT url_host_name, if(label = 'all', '"all"', label) FROM host_labels_of(needed_list(labels, 'labels', 'label'))
    ),
    captured AS (
        SELECT stratum, count(*) AS hosts
        FROM labelled
        SEMI JOIN hosts_in('captured', crawl) AS hosts USING (url_host_name)
        GROUP BY stratum
    ),
    population AS MATERIALIZED (
        SELECT hosts.* EXCLUDE (stratum), labelled.stratum, agents_named, agents_blocked
        FROM host_files_by('answered', crawl, "by", weights) AS hosts
        JOIN labelled USING (url_host_name)
        LEFT JOIN ai_agents_named USING (policy_id)
    ),
    with_rules AS (SELECT *, true AS part FROM population WHERE has_rules),
    naming AS (SELECT *, true AS part FROM population WHERE agents_named > 0),
    blocking AS (SELECT *, true AS part FROM population WHERE agents_blocked > 0),
    means AS (
        SELECT
            stratum,
            round(avg(agents_blocked) FILTER (agents_blocked > 0), 2) AS mean_ai_agents_blocked,
            round(avg(content_length) FILTER (has_rules), 0) AS mean_bytes,
            round(avg(n_lines) FILTER (has_rules), 1) AS mean_lines,
            round(avg(n_agents) FILTER (has_rules), 2) AS mean_agents
        FROM population
        GROUP BY stratum
    )
    SELECT
        stratum AS label,
        captured.hosts AS hosts_captured,
        ruled.share AS pct_with_rules,
        named.share AS pct_naming_ai_agents,
        blocked.share AS pct_blocking_ai_agents, blocked.low AS pct_low, blocked.high AS pct_high,
        mean_ai_agents_blocked, mean_bytes, mean_lines, mean_agents,
        coalesce(blocked.n, 0) AS n,
        'answered' AS population, "by" AS unit, known_crawl(crawl) AS crawl, blocked.note
    FROM captured
    LEFT JOIN shares('with_rules', 'population', 'one_part') AS ruled USING (stratum)
    LEFT JOIN shares('naming', 'population', 'one_part') AS named USING (stratum)
    LEFT JOIN shares('blocking', 'population', 'one_part') AS blocked USING (stratum)
    LEFT JOIN means USING (stratum)
    ORDER BY stratum <> 'all', stratum;
