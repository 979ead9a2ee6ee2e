-- Which kinds of crawlers do hosts name, and which do they block?
--
-- Topic: Who is named.
-- Reproduces: adoption by agent category of Common Crawl's robots.txt poster (IIPC 2025); blocking by
--   kind of AI crawler of Cui et al., CCS 2025, and of Cloudflare Radar.
-- Denominator: pct_of_hosts_with_rules is of hosts, each once per crawl, with a file that has rules.
--   A host counts in a category if it names one of its product tokens: naming by any group, fully
--   and partly by that token's own rules (exact), any of them fully blocked, partly blocked.
--   Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO agent_categories(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY ALL
    ),
    crawled AS (
        SELECT policy_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY policy_id
    ),
    named AS MATERIALIZED (
        SELECT
            category,
            policy_id,
            count(*) AS tokens,
            bool_or(restriction = 'full') AS blocks,
            bool_or(restriction = 'partial') AS blocks_partly
        FROM agents
        SEMI JOIN crawled USING (policy_id)
        JOIN agent_catalog USING (product_token)
        GROUP BY category, policy_id
    ),
    shares AS MATERIALIZED (
        FROM shares_of(
            'SELECT NULL AS stratum, unnest([category, if(blocks, ''full '' || category, NULL)]) AS part, cluster, hosts, weight, squares
            FROM named JOIN of_clusters USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters'
        )
    )
    SELECT
        category,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM crawled)) AS pct_of_hosts_with_rules,
        any_value(naming.low) AS pct_low,
        any_value(naming.high) AS pct_high,
        coalesce(sum(hosts) FILTER (blocks), 0)::BIGINT AS hosts_full,
        coalesce(sum(hosts) FILTER (blocks_partly), 0)::BIGINT AS hosts_partial,
        pct(coalesce(sum(weight) FILTER (blocks), 0), (SELECT sum(weight) FROM crawled)) AS pct_full,
        any_value(blocking.low) AS pct_full_low,
        any_value(blocking.high) AS pct_full_high,
        round(sum(hosts * tokens) / sum(hosts), 2) AS tokens_per_naming_host,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit
    FROM named
    JOIN crawled USING (policy_id)
    LEFT JOIN shares AS naming ON naming.part = category
    LEFT JOIN shares AS blocking ON blocking.part = 'full ' || category
    GROUP BY category
    ORDER BY hosts DESC, category;
