-- Which kinds of crawlers are blocked by hosts that allow another kind by name?
-- Keywords: inconsistent, search engines against AI, allow some block others.
-- Reproduces: full and strict conflicts between classes of bots (Cui et al., CCS 2025, table 4).
-- Denominator: hosts whose file names crawlers of both kinds (n). in_conflict: the file fully
--   blocks a crawler of the first kind, and leaves a crawler of the second a path; strictly: it
--   fully blocks every crawler that it names of the first kind, and none of the second.
CREATE OR REPLACE MACRO category_conflicts(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH naming_both AS MATERIALIZED (
        SELECT
            hosts.* REPLACE ({'blocked': a.category, 'allowed': b.category} AS stratum, 'naming both' AS population),
            true AS part,
            a.blocks_one AND b.spares_one AS is_conflict,
            is_conflict AND NOT a.spares_one AND NOT b.blocks_one AS hosts_strictly
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        JOIN kinds_named AS a USING (policy_id)
        JOIN kinds_named AS b ON b.policy_id = a.policy_id AND b.category <> a.category
    ),
    in_conflict AS (FROM naming_both WHERE is_conflict)
    SELECT
        stratum.blocked AS blocked, stratum.allowed AS allowed,
        n, hosts AS hosts_in_conflict, share AS pct_in_conflict, pct_low, pct_high,
        hosts_strictly, population, unit, shares.crawl, note
    FROM summed_shares('in_conflict', 'naming_both', 'one_part', sums := ['hosts_strictly']) AS shares
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
