-- In which top-level domains do hosts block at least one AI crawler?
--
-- Topic: AI crawlers together.
-- Keywords: countries, country, ccTLD, region, AI bots.
-- Reproduces: hosts that block at least one AI crawler by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the TLD, each once per crawl, with a file that has rules (n). AI agents are
--   those of the catalogue; blocked: no path is allowed to the agent, by its own group. pct_low and
--   pct_high are the ends of the 95% interval of pct_blocking_one, with registrable domains as
--   clusters.
-- Parameters: crawl, min_hosts (5), top (40; TLDs with most hosts), by, weights.
CREATE OR REPLACE MACRO ai_agents_blocked_by_tld(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    min_hosts INTEGER := 5,
    top INTEGER := 40
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT hosts.* REPLACE (url_host_tld AS stratum), true AS part, named.agents > 0 AS names_one, blocked > 0 AS blocks_one
        FROM host_files_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id
        WHERE url_host_tld IS NOT NULL
    ),
    naming AS (FROM population WHERE names_one),
    blocking AS (FROM population WHERE blocks_one),
    citing AS (
        SELECT stratum, count(*) FILTER (mentions_eu_2019_790) AS hosts FROM population GROUP BY stratum
    )
    SELECT
        stratum AS tld,
        of_naming.hosts AS hosts_naming_one,
        of_blocking.hosts AS hosts_blocking_one,
        of_naming.share AS pct_naming_one,
        of_blocking.share AS pct_blocking_one,
        of_blocking.low AS pct_low,
        of_blocking.high AS pct_high,
        citing.hosts AS hosts_citing_eu_2019_790,
        of_blocking.n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        of_blocking.note
    FROM shares('blocking', 'population', 'one_part') AS of_blocking
    JOIN shares('naming', 'population', 'one_part') AS of_naming USING (stratum)
    JOIN citing USING (stratum)
    WHERE of_blocking.n >= min_hosts
    ORDER BY of_blocking.n DESC, tld
    LIMIT top;
