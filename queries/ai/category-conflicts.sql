-- Which kinds of crawlers are blocked by hosts that allow another kind by name?
--
-- Topic: AI crawlers together.
-- Keywords: inconsistent, search engines against AI, allow some block others.
-- Reproduces: full and strict conflicts between classes of bots of Cui et al., CCS 2025 (table 4).
-- Denominator: hosts, each once per crawl, whose file names crawlers of both kinds (n).
--   in_conflict: fully blocks one of the first kind and not to one of the second; strictly: to all
--   that it names of the first kind, and to none that it names of the second.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO category_conflicts(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    kinds AS MATERIALIZED (
        SELECT
            policy_id,
            category,
            bool_or(restriction = 'full') AS blocks_one,
            bool_or(restriction <> 'full') AS spares_one
        FROM agents
        JOIN agent_kinds USING (product_token)
        GROUP BY ALL
    ),
    naming_both AS MATERIALIZED (
        SELECT
            {'blocked': a.category, 'allowed': b.category} AS stratum,
            true AS part,
            cluster,
            weight,
            a.blocks_one AND b.spares_one AS in_conflict,
            in_conflict AND NOT a.spares_one AND NOT b.blocks_one AS strictly
        FROM population
        JOIN kinds AS a USING (policy_id)
        JOIN kinds AS b ON b.policy_id = a.policy_id AND b.category <> a.category
    ),
    in_conflict AS (FROM naming_both WHERE in_conflict),
    counted AS (
        SELECT stratum, count(*) FILTER (strictly) AS hosts_strictly FROM naming_both GROUP BY stratum
    )
    SELECT
        stratum.blocked AS blocked,
        stratum.allowed AS allowed,
        n,
        hosts AS hosts_in_conflict,
        share AS pct_in_conflict,
        low AS pct_low,
        high AS pct_high,
        hosts_strictly,
        'naming both' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('in_conflict', 'naming_both', 'one_part') AS shares
    JOIN counted USING (stratum)
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
