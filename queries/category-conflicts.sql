-- Which kinds of crawlers are blocked by hosts that allow another kind by name?
--
-- Topic: AI crawlers together.
-- Reproduces: full and strict conflicts between classes of bots of Cui et al., CCS 2025 (table 4).
-- Denominator: hosts, each once per crawl, whose file names crawlers of both kinds (n). in_conflict: fully blocks one
--   of the first kind and not to one of the second; strictly: to all that it names of the first kind, and to none
--   that it names of the second. 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO category_conflicts(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    -- A policy by the categories of the crawlers that it names, each a bit: of those in which it blocks one,
    -- and in which it does not block one.
    WITH categories AS MATERIALIZED (
        SELECT category, number, 1::BIGINT << number AS bit
        FROM (SELECT category, row_number() OVER (ORDER BY category) AS number FROM agent_kinds GROUP BY category)
    ),
    policy_categories AS (
        SELECT
            policy_id,
            coalesce(bit_or(bit) FILTER (restriction = 'full'), 0) AS blocks_one,
            coalesce(bit_or(bit) FILTER (restriction <> 'full'), 0) AS spares_one
        FROM agents
        JOIN (FROM agent_kinds JOIN categories USING (category)) USING (product_token)
        GROUP BY policy_id
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, blocks_one, spares_one, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        JOIN policy_categories USING (policy_id)
        GROUP BY ALL
    ),
    judged AS MATERIALIZED (
        SELECT
            100 * a.number + b.number AS stratum,
            a.category AS blocked,
            b.category AS allowed,
            cluster,
            blocks_one & a.bit > 0 AND spares_one & b.bit > 0 AS in_conflict,
            spares_one & a.bit = 0 AND blocks_one & b.bit = 0 AS strictly,
            hosts,
            weight,
            squares
        FROM of_clusters
        JOIN categories AS a ON (blocks_one | spares_one) & a.bit > 0
        JOIN categories AS b ON (blocks_one | spares_one) & b.bit > 0 AND b.bit <> a.bit
    ),
    shares AS (
        FROM shares_of(
            'SELECT stratum, true AS part, cluster, hosts, weight, squares FROM judged WHERE in_conflict',
            'FROM judged',
            'SELECT true AS part'
        )
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
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM judged
    LEFT JOIN shares USING (stratum)
    GROUP BY blocked, allowed
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
