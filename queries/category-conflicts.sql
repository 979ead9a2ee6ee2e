-- Which kinds of crawlers are blocked by hosts that allow another kind by name?
--
-- Topic: AI crawlers together.
-- Reproduces: full and strict conflicts between classes of bots of Cui et al., CCS 2025 (table 4).
-- Denominator: hosts, each once per crawl, whose file names crawlers of both kinds (n).
--   in_conflict: fully blocks one of the first kind and not to one of the second; strictly:
--   to all that it names of the first kind, and to none that it names of the second. Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO category_conflicts(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY ALL
    ),
    kinds AS MATERIALIZED (
        SELECT
            policy_id,
            category,
            bool_or(restriction = 'full') AS blocks_one,
            bool_and(restriction = 'full') AS blocks_all
        FROM agents
        SEMI JOIN of_clusters USING (policy_id)
        JOIN agent_catalog USING (product_token)
        GROUP BY policy_id, category
    ),
    judged AS MATERIALIZED (
        SELECT
            a.category || ' ' || b.category AS stratum,
            a.category AS blocked,
            b.category AS allowed,
            cluster,
            a.blocks_one AND NOT b.blocks_all AS in_conflict,
            a.blocks_all AND NOT b.blocks_one AS strictly,
            sum(hosts) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM kinds AS a
        JOIN kinds AS b ON b.policy_id = a.policy_id AND a.category <> b.category
        JOIN of_clusters ON of_clusters.policy_id = a.policy_id
        GROUP BY ALL
    ),
    shares AS (
        FROM shares_of('SELECT stratum, true AS part, cluster, hosts, weight, squares FROM judged WHERE in_conflict', 'FROM judged')
    )
    SELECT
        blocked,
        allowed,
        sum(hosts)::BIGINT AS n,
        coalesce(sum(hosts) FILTER (in_conflict), 0)::BIGINT AS hosts_in_conflict,
        pct(coalesce(sum(weight) FILTER (in_conflict), 0), sum(weight)) AS pct_in_conflict,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        coalesce(sum(hosts) FILTER (strictly), 0)::BIGINT AS hosts_strictly,
        'naming both' AS population,
        "by" AS unit
    FROM judged
    LEFT JOIN shares USING (stratum)
    GROUP BY blocked, allowed
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
