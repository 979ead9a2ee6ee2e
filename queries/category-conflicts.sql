-- Which kinds of crawlers are blocked by hosts that allow another kind by name?
--
-- Topic: AI crawlers together.
-- Reproduces: full and strict conflicts between classes of bots of Cui et al., CCS 2025 (table 4).
-- Denominator: hosts, each once per crawl, whose file names crawlers of both kinds (hosts_naming_both).
--   in_conflict: fully blocks one of the first kind and not to one of the second; strictly:
--   to all that it names of the first kind, and to none that it names of the second.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO category_conflicts(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    kinds AS (
        SELECT
            policy_id,
            category,
            any_value(hosts) AS hosts,
            any_value(weight) AS weight,
            bool_or(restriction = 'full') AS blocks_one,
            bool_and(restriction = 'full') AS blocks_all
        FROM agents
        JOIN crawled USING (policy_id)
        JOIN agent_catalog USING (product_token)
        GROUP BY policy_id, category
    )
    SELECT
        a.category AS blocked,
        b.category AS allowed,
        sum(a.hosts)::BIGINT AS hosts_naming_both,
        coalesce(sum(a.hosts) FILTER (a.blocks_one AND NOT b.blocks_all), 0)::BIGINT AS hosts_in_conflict,
        pct(coalesce(sum(a.weight) FILTER (a.blocks_one AND NOT b.blocks_all), 0), sum(a.weight)) AS pct_in_conflict,
        coalesce(sum(a.hosts) FILTER (a.blocks_all AND NOT b.blocks_one), 0)::BIGINT AS hosts_strictly,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit
    FROM kinds AS a
    JOIN kinds AS b ON b.policy_id = a.policy_id AND a.category <> b.category
    GROUP BY a.category, b.category
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
