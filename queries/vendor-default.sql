-- How much of the blocking of AI crawlers is a vendor's default, and how much the host's own choice?
--
-- Topic: AI crawlers together.
-- Reproduces: blocks with and without Cloudflare's managed robots.txt of HasData's block index (2026);
--   vendor templates of thunderbit's AI crawler study.
-- Denominator: hosts, each once per crawl, that leave the crawler no path in a group of its own (n). own:
--   they still do without the lines of platforms; default: they do so by platforms' lines alone. An owner
--   who blocks the crawler next to a platform's block counts as own. owner-choices has the same hosts as
--   shares of all hosts with rules. By domain, a host keeps the weight that it has among those. Intervals
--   are those of 95%, with registrable domains as clusters.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one in time), by (host;
--   domain, weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO vendor_default(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    blocking AS MATERIALIZED (
        SELECT product_token AS stratum, if(own_blocks_by_name, 'own', 'default') AS part, cluster, hosts, weight, squares
        FROM choices_of(
            (SELECT list(product_token) FROM chosen),
            'FROM ' || host_files_sql('with_rules', crawl, "by", weights)
        )
        WHERE blocks_by_name
    ),
    counted AS (
        SELECT stratum, part, sum(hosts)::BIGINT AS hosts FROM blocking GROUP BY ALL
    )
    SELECT
        product_token,
        made_by,
        coalesce(hosts, 0) AS hosts_full_by_name,
        coalesce(share, 0) AS pct_of_blocking,
        low AS pct_low,
        high AS pct_high,
        sum(hosts_full_by_name) OVER (PARTITION BY product_token)::BIGINT AS n,
        'blocking the crawler by name' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), note) AS note
    FROM chosen
    CROSS JOIN (SELECT unnest(['default', 'own']) AS made_by)
    LEFT JOIN counted ON counted.stratum = product_token AND counted.part = made_by
    LEFT JOIN shares_of('FROM blocking', 'FROM blocking', 'SELECT unnest([''default'', ''own'']) AS part') AS shares
        ON shares.stratum = product_token AND shares.part = made_by
    WHERE product_token IN (SELECT stratum FROM blocking)
    ORDER BY product_token, made_by;
