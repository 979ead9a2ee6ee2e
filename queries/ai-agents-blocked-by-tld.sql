-- In which top-level domains do hosts block at least one AI crawler?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts that block at least one AI crawler by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the TLD, each once per crawl, with a file that has rules. AI agents are those
--   of the catalogue; blocked: no path is allowed to the agent, by its own group.
-- Parameters: crawl (the last one, by label), min_hosts (5), top (40; TLDs with most hosts), by
--   (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet
--   file of domain and weight).
CREATE OR REPLACE MACRO ai_agents_blocked_by_tld(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    min_hosts INTEGER := 5,
    top INTEGER := 40
) AS TABLE
    WITH named AS (
        SELECT policy_id, count(*) FILTER (restriction = 'full') AS blocked
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        GROUP BY policy_id
    )
    SELECT
        url_host_tld AS tld,
        count(*) AS hosts_with_rules,
        count(named.policy_id) AS hosts_naming_one,
        count(*) FILTER (blocked > 0) AS hosts_blocking_one,
        pct(coalesce(sum(weight) FILTER (named.policy_id IS NOT NULL), 0), sum(weight)) AS pct_naming_one,
        pct(coalesce(sum(weight) FILTER (blocked > 0), 0), sum(weight)) AS pct_blocking_one,
        count(*) FILTER (mentions_eu_2019_790) AS hosts_citing_eu_2019_790,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit
    FROM host_files_by('with_rules', crawl, "by", weights) AS host_files
    LEFT JOIN named ON named.policy_id = host_files.policy_id
    WHERE url_host_tld IS NOT NULL
    GROUP BY url_host_tld
    HAVING hosts_with_rules >= min_hosts
    ORDER BY hosts_with_rules DESC, tld
    LIMIT top;
