-- Which kinds of crawlers do hosts name, and which do they block?
--
-- Topic: Who is named.
-- Keywords: kinds, purposes, search engines, SEO tools, archives, AI training.
-- Reproduces: adoption by agent category of Common Crawl's robots.txt poster (IIPC 2025); blocking
--   by kind of AI crawler of Cui et al., CCS 2025, and of Cloudflare Radar.
-- Denominator: pct_of_hosts_with_rules is of hosts, each once per crawl, with a file that has
--   rules. A host counts in a category if it names one of its product tokens: naming by any group,
--   fully and partly by that token's own rules (exact), any of them fully blocked, partly blocked.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO agent_categories(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    kinds AS (
        SELECT
            policy_id,
            category AS part,
            count(*) AS tokens,
            bool_or(restriction = 'full') AS blocks,
            bool_or(restriction = 'partial') AS blocks_partly
        FROM agents
        JOIN agent_kinds USING (product_token)
        GROUP BY ALL
    ),
    naming AS MATERIALIZED (FROM population JOIN kinds USING (policy_id)),
    blocking AS (FROM naming WHERE blocks),
    named_parts AS (SELECT DISTINCT part FROM naming),
    counted AS (
        SELECT
            part,
            count(*) FILTER (blocks_partly) AS hosts_partial,
            round(avg(tokens), 2) AS tokens_per_naming_host
        FROM naming
        GROUP BY part
    )
    SELECT
        part AS category,
        of_naming.hosts,
        of_naming.share AS pct_of_hosts_with_rules,
        of_naming.low AS pct_low,
        of_naming.high AS pct_high,
        of_blocking.hosts AS hosts_full,
        hosts_partial,
        of_blocking.share AS pct_full,
        of_blocking.low AS pct_full_low,
        of_blocking.high AS pct_full_high,
        tokens_per_naming_host,
        of_naming.n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        of_naming.note
    FROM shares('naming', 'population') AS of_naming
    JOIN shares('blocking', 'population', 'named_parts') AS of_blocking USING (part)
    JOIN counted USING (part)
    ORDER BY of_naming.hosts DESC, category;
