-- What share of hosts fully blocks a crawler, and how has that changed?
--
-- Topic: Who may crawl.
-- Reproduces: the share of sites that fully disallow each AI crawler, crawl by crawl, explicitly and
--   by way of `*`, of Liu et al., IMC 2025; CCBot's by crawl of Common Crawl's robots.txt experiments.
-- Denominator: hosts, each once per crawl, that settled the question: with a file, or without one
--   (404 and the like). full: no path is open to the crawler; by name, in a group of its own; by way
--   of its fallback or `*`, where it has none. change is in percentage points on the crawl before.
-- Parameters: agents (['gptbot']; several may be named).
CREATE OR REPLACE MACRO agent_restrictions_over_time(agents VARCHAR[] := ['gptbot']) AS TABLE
    WITH chosen AS (
        SELECT unnest(known_tokens(agents)) AS product_token
    ),
    crawled AS (
        SELECT
            product_token,
            crawl,
            count(*) AS hosts,
            count(*) FILTER (restriction = 'full') AS hosts_full,
            count(*) FILTER (restriction = 'full' AND source = 'own') AS full_by_name,
            count(*) FILTER (restriction = 'partial') AS hosts_partial
        FROM agent_answers((SELECT list(product_token) FROM chosen))
        GROUP BY ALL
    )
    SELECT
        product_token,
        crawl,
        hosts,
        hosts_full,
        pct(hosts_full, hosts) AS pct_full,
        pct(full_by_name, hosts) AS pct_full_by_name,
        pct(hosts_full - full_by_name, hosts) AS pct_full_by_wildcard,
        pct(hosts_partial, hosts) AS pct_partial,
        pct(hosts - hosts_full - hosts_partial, hosts) AS pct_none,
        round(
            100.0 * hosts_full / hosts - lag(100.0 * hosts_full / hosts) OVER (PARTITION BY product_token ORDER BY crawl),
            2
        ) AS change
    FROM crawled
    ORDER BY product_token, crawl;
