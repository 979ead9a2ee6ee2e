-- Who blocks AI crawlers by name: the owners of hosts, or only the platforms that write parts of their files?
--
-- Topic: AI crawlers together.
-- Reproduces: blocks with and without Cloudflare's managed robots.txt of HasData's block index (2026);
--   vendor templates of thunderbit's AI crawler study.
-- Denominator: the population (n): hosts, each once per crawl, with rules. all: the file names or blocks the
--   crawler; own: it still does without the lines of platforms, so that the owner chose it; default: it
--   does so by platforms' lines alone. own and default add up to all. 95% intervals, with
--   registrable domains as clusters.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one in time), by (host;
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
    choices AS MATERIALIZED (
        SELECT *, unnest(['all', 'own', 'default']) AS made_by
        FROM choices_of(
            (SELECT list(product_token) FROM chosen),
            'FROM ' || host_files_sql('with_rules', crawl, "by", weights)
        )
        WHERE names
    ),
    counted AS MATERIALIZED (
        SELECT
            * REPLACE (
                names AND (made_by = 'all' OR (made_by = 'own') = own_names) AS names,
                blocks_by_name AND (made_by = 'all' OR (made_by = 'own') = own_blocks_by_name) AS blocks_by_name
            )
        FROM choices
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, product_token || '' '' || made_by AS part, * FROM counted WHERE blocks_by_name',
            'SELECT NULL AS stratum, * FROM ' || hosts_sql('with_rules', crawl, "by", weights),
            'SELECT product_token || '' '' || made_by AS part FROM chosen CROSS JOIN (SELECT unnest([''all'', ''own'', ''default'']) AS made_by)'
        )
    )
    SELECT
        product_token,
        made_by,
        population_size('with_rules', crawl) AS n,
        coalesce(sum(hosts) FILTER (names), 0)::BIGINT AS hosts_named,
        coalesce(sum(hosts) FILTER (blocks_by_name), 0)::BIGINT AS hosts_full_by_name,
        any_value(share) AS pct_full_by_name,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), any_value(note)) AS note
    FROM chosen
    CROSS JOIN (SELECT unnest(['all', 'own', 'default']) AS made_by)
    LEFT JOIN counted USING (product_token, made_by)
    LEFT JOIN shares ON part = product_token || ' ' || made_by
    GROUP BY product_token, made_by
    ORDER BY product_token, made_by;
