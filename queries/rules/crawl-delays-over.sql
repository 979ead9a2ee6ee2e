-- How many hosts ask for a crawl delay above a threshold in seconds?
-- Keywords: crawl-delay, crawl delay, seconds, threshold, more than 10, long delays, slow down.
-- Denominator: hosts with rules (n). A host counts once in a row: for any crawler, by the longest of the
--   first delays of each crawler; for `*`, by the first delay of `*`.
-- Parameters: seconds: the thresholds.
CREATE OR REPLACE MACRO crawl_delays_over(
    seconds := [0, 1, 5, 10, 30, 60, 300, 3600], crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    longest AS (
        SELECT policy_id, 'any crawler' AS asked_of, max(crawl_delay) AS crawl_delay FROM agents GROUP BY policy_id
        UNION ALL
        SELECT policy_id, product_token, crawl_delay FROM agents WHERE product_token = '*'
    ),
    thresholds AS (
        SELECT {'asked_of': asked_of, 'over': unnest(seconds)} AS part
        FROM (SELECT unnest(['any crawler', '*']) AS asked_of)
    ),
    asking AS (
        SELECT policy_id, part FROM longest JOIN thresholds ON asked_of = part.asked_of AND crawl_delay > part.over
    )
    SELECT
        part.asked_of AS asked_of, part.over AS over_seconds, hosts, share AS pct_of_hosts_with_rules,
        pct_low, pct_high, n, population, unit, shares.crawl, note
    FROM joined_shares('asking', 'population', 'thresholds') AS shares
    ORDER BY asked_of DESC, over_seconds;
