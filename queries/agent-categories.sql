-- Which kinds of crawlers do hosts name, and which do they block?
--
-- Topic: Who is named.
-- Reproduces: adoption by agent category of Common Crawl's robots.txt poster (IIPC 2025); blocking by
--   kind of AI crawler of Cui et al., CCS 2025, and of Cloudflare Radar.
-- Denominator: pct_of_hosts_with_rules is of hosts, each once per crawl, with a file that has rules.
--   A host counts in a category if it names one of its product tokens: naming by any group, fully
--   and partly by that token's own rules (exact), any of them fully blocked, partly blocked.
--   95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO agent_categories(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH categories AS MATERIALIZED (
        SELECT category, row_number() OVER (ORDER BY category) AS number FROM agent_kinds GROUP BY category
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY ALL
    ),
    -- By number, which takes far less to bring together than the name.
    naming AS (
        SELECT
            policy_id,
            number,
            count(*) AS tokens,
            bool_or(restriction = 'full') AS blocks,
            bool_or(restriction = 'partial') AS blocks_partly
        FROM agents
        JOIN (FROM agent_kinds JOIN categories USING (category)) USING (product_token)
        GROUP BY ALL
    ),
    named AS MATERIALIZED (
        SELECT
            number,
            cluster,
            blocks,
            blocks_partly,
            sum(hosts) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares,
            sum(hosts * tokens) AS tokens
        FROM naming
        JOIN of_clusters USING (policy_id)
        GROUP BY ALL
    ),
    counted AS (
        SELECT
            number,
            sum(hosts)::BIGINT AS hosts,
            coalesce(sum(hosts) FILTER (blocks), 0)::BIGINT AS hosts_full,
            coalesce(sum(hosts) FILTER (blocks_partly), 0)::BIGINT AS hosts_partial,
            sum(tokens) AS tokens
        FROM named
        GROUP BY number
    ),
    shares AS MATERIALIZED (
        FROM shares_of(
            'SELECT NULL AS stratum, unnest([number, if(blocks, -number, NULL)]) AS part, cluster, hosts, weight, squares FROM named',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters',
            'SELECT -number AS part FROM named'
        )
    )
    SELECT
        category,
        counted.hosts,
        naming.share AS pct_of_hosts_with_rules,
        naming.low AS pct_low,
        naming.high AS pct_high,
        hosts_full,
        hosts_partial,
        blocking.share AS pct_full,
        blocking.low AS pct_full_low,
        blocking.high AS pct_full_high,
        round(tokens / counted.hosts, 2) AS tokens_per_naming_host,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        naming.note AS note
    FROM counted
    JOIN categories USING (number)
    JOIN shares AS naming ON naming.part = number
    JOIN shares AS blocking ON blocking.part = -number
    ORDER BY hosts DESC, category;
