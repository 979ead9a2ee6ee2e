-- In which top-level domains do hosts block at least one AI crawler?
--
-- Keywords: countries, country, ccTLD, region, AI bots.
-- Reproduces: hosts that block at least one AI crawler by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the top-level domain with a file that has rules (n). blocked: no path is
--   allowed to an AI crawler of the catalogue, by its own group.
-- Parameters: min_hosts: top-level domains with fewer hosts are left out.
CREATE OR REPLACE MACRO ai_agents_blocked_by_tld(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL, min_hosts INTEGER := 5,
    top INTEGER := 40
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT hosts.* REPLACE (url_host_tld AS stratum), true AS part, agents_named, agents_blocked
        FROM host_files_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named USING (policy_id)
        WHERE url_host_tld IS NOT NULL
    ),
    naming AS (FROM population WHERE agents_named > 0),
    blocking AS (FROM population WHERE agents_blocked > 0),
    citing AS (SELECT stratum, count(*) FILTER (mentions_eu_2019_790) AS hosts FROM population GROUP BY stratum)
    SELECT
        stratum AS tld,
        named.hosts AS hosts_naming_one,
        blocked.hosts AS hosts_blocking_one,
        named.share AS pct_naming_one,
        blocked.share AS pct_blocking_one, blocked.low AS pct_low, blocked.high AS pct_high,
        citing.hosts AS hosts_citing_eu_2019_790,
        blocked.n, blocked.population, blocked.unit, blocked.crawl, blocked.note
    FROM shares('blocking', 'population', 'one_part') AS blocked
    JOIN shares('naming', 'population', 'one_part') AS named USING (stratum)
    JOIN citing USING (stratum)
    WHERE blocked.n >= min_hosts
    ORDER BY blocked.n DESC, tld
    LIMIT top;
