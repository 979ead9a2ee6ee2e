-- How many AI crawlers does one host block by name?
--
-- Topic: AI crawlers together.
-- Reproduces: the number of AI agents per site that underlie the mean of Steinacker-Olsztyn (2025), as a
--   histogram.
-- Denominator: hosts, each once per crawl, with a file that has rules. AI agents are those of the
--   catalogue; blocked: no path is allowed to the agent by its own group. Intervals are those of 95%,
--   with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO ai_agents_per_host(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH blocked AS (
        SELECT policy_id, count(*) AS agents
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        WHERE restriction = 'full'
        GROUP BY policy_id
    ),
    counted AS MATERIALIZED (
        SELECT NULL AS stratum, coalesce(agents, 0) AS part, cluster, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights) AS crawled
        LEFT JOIN blocked ON blocked.policy_id = crawled.policy_id
        GROUP BY ALL
    )
    SELECT
        part AS ai_agents_blocked,
        sum(hosts)::BIGINT AS hosts,
        any_value(share) AS pct_of_hosts_with_rules,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM counted
    JOIN shares_of('FROM counted', 'FROM counted') USING (part)
    GROUP BY part
    ORDER BY ai_agents_blocked;
