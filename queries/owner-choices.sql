-- Who blocks AI crawlers by name: the owners of hosts, or only the platforms that write parts of their files?
--
-- Topic: AI crawlers together.
-- Reproduces: blocks with and without Cloudflare's managed robots.txt of HasData's block index (2026);
--   vendor templates of thunderbit's AI crawler study.
-- Denominator: the population (n): hosts, each once per crawl, with rules. all: by the whole file; own:
--   the same hosts by what their owners wrote, the lines of platforms left out; default: what only
--   platforms' lines do, the difference. Intervals are those of 95%, with registrable domains as
--   clusters; a difference has none.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one, by label), by (host;
--   domain, weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO owner_choices(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    shares AS (
        FROM agent_shares(
            (SELECT list(product_token) FROM chosen),
            'SELECT unnest([''all'', ''own'']) AS stratum, * REPLACE ('
                || 'unnest([policy_id, owner_policy_id]) AS policy_id) FROM '
                || host_files_sql('with_rules', crawl, "by", weights)
        )
    ),
    made AS (
        SELECT
            product_token,
            stratum AS made_by,
            n,
            hosts_named,
            hosts_full_by_name,
            pct_full_by_name,
            pct_full_by_name_low AS pct_low,
            pct_full_by_name_high AS pct_high
        FROM shares
        UNION ALL BY NAME
        SELECT
            product_token,
            'default' AS made_by,
            whole.n,
            whole.hosts_named - own.hosts_named AS hosts_named,
            whole.hosts_full_by_name - own.hosts_full_by_name AS hosts_full_by_name,
            round(whole.pct_full_by_name - own.pct_full_by_name, 2) + 0.0 AS pct_full_by_name
        FROM shares AS whole
        JOIN shares AS own USING (product_token)
        WHERE whole.stratum = 'all' AND own.stratum = 'own'
    )
    SELECT *, 'with_rules' AS population, "by" AS unit
    FROM made
    ORDER BY product_token, made_by;
