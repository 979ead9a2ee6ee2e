-- Which AI crawlers are blocked together?
--
-- Topic: AI crawlers together.
-- Reproduces: combinations of blocked AI crawlers of thunderbit's AI crawler study; shared lists of
--   Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that fully block at least one AI agent of the
--   catalogue by name (n). A set is all that a host blocks so. 95% intervals, with
--   registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight),
--   weights (path of a CSV or Parquet file of domain and weight), top (30).
CREATE OR REPLACE MACRO ai_agent_sets(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH sets AS (
        SELECT policy_id, count(*) AS ai_agents, array_to_string(list_sort(list(product_token)), ' ') AS product_tokens
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        WHERE restriction = 'full'
        GROUP BY policy_id
    ),
    blocking AS MATERIALIZED (
        SELECT cluster, policy_id, ai_agents, product_tokens, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        JOIN sets USING (policy_id)
        GROUP BY ALL
    ),
    most AS MATERIALIZED (
        SELECT product_tokens, ai_agents, sum(hosts)::BIGINT AS hosts, count(DISTINCT policy_id) AS policies
        FROM blocking
        GROUP BY ALL
        ORDER BY hosts DESC, product_tokens
        LIMIT top
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, product_tokens AS part, cluster, hosts, weight, squares
            FROM blocking SEMI JOIN most USING (product_tokens)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM blocking'
        )
    )
    SELECT
        ai_agents,
        hosts,
        share AS pct_of_blocking_hosts,
        low AS pct_low,
        high AS pct_high,
        policies,
        product_tokens,
        (SELECT sum(hosts) FROM blocking)::BIGINT AS n,
        'blocking an AI crawler' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM most
    JOIN shares ON part = product_tokens
    ORDER BY hosts DESC, product_tokens;
