-- In which top-level domains do hosts block at least one AI crawler?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts that block at least one AI crawler by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the TLD, each once per crawl, with a file that has rules (n). AI agents are
--   those of the catalogue; blocked: no path is allowed to the agent, by its own group. pct_low and
--   pct_high are the ends of the 95% interval of pct_blocking_one, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), min_hosts (5), top (40; TLDs with most hosts), by
--   (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet
--   file of domain and weight).
CREATE OR REPLACE MACRO ai_agents_blocked_by_tld(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    min_hosts INTEGER := 5,
    top INTEGER := 40
) AS TABLE
    WITH counted AS MATERIALIZED (
        SELECT
            url_host_tld AS stratum,
            cluster,
            hosts,
            weight,
            squares,
            named.policy_id IS NOT NULL AS names_one,
            coalesce(blocked > 0, false) AS blocks_one,
            mentions_eu_2019_790 AS cites
        FROM host_files_by('with_rules', crawl, "by", weights) AS host_files
        LEFT JOIN ai_agents_named AS named ON named.policy_id = host_files.policy_id
        WHERE url_host_tld IS NOT NULL
    ),
    shares AS (
        FROM shares_of('SELECT *, true AS part FROM counted WHERE blocks_one', 'FROM counted', 'SELECT true AS part')
    )
    SELECT
        stratum AS tld,
        count(*) FILTER (names_one) AS hosts_naming_one,
        count(*) FILTER (blocks_one) AS hosts_blocking_one,
        pct(coalesce(sum(weight) FILTER (names_one), 0), sum(weight)) AS pct_naming_one,
        pct(coalesce(sum(weight) FILTER (blocks_one), 0), sum(weight)) AS pct_blocking_one,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(*) FILTER (cites) AS hosts_citing_eu_2019_790,
        count(*) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM counted
    LEFT JOIN shares USING (stratum)
    GROUP BY stratum
    HAVING count(*) >= min_hosts
    ORDER BY n DESC, tld
    LIMIT top;
