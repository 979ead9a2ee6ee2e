-- For which crawlers do hosts add or drop a group, or move between not, partly and fully blocked?
-- Keywords: trend, stricter, looser, began, stopped, lifted, removed blocks.
-- Reproduces: added and removed agents (Liu et al., IMC 2025); changes over time (Longpre et al. 2024).
-- Denominator: none; counts of origins that changed between consecutive captures, over all crawls (see the view
--   policy_changes). An origin that changes back counts in both directions. added, removed: the file gains or loses a
--   group for the crawler, which may block nothing. stricter, looser: a move between not, partly and fully blocked, so
--   more rules for a partly blocked crawler do not count; openings-and-closings compares paths.
-- Parameters: since, until: the earliest and latest time of the capture that shows the change. With either, captures
--   without a time do not count.
CREATE OR REPLACE MACRO agent_changes(
    since TIMESTAMPTZ := '-infinity'::TIMESTAMPTZ, until TIMESTAMPTZ := 'infinity'::TIMESTAMPTZ, top := 30
) AS TABLE
    WITH changed AS MATERIALIZED (
        SELECT origin, policy_id_before, policy_id
        FROM policy_changes
        WHERE coalesce(fetch_time BETWEEN since AND until, isinf(since) AND isinf(until))
    ),
    events AS (
        SELECT origin, product_token, event
        FROM changed
        JOIN agent_differences('changed') AS differences
            ON differences.policy_id IS NOT DISTINCT FROM changed.policy_id
            AND differences.policy_id_before IS NOT DISTINCT FROM changed.policy_id_before
    )
    SELECT
        product_token, count(DISTINCT origin) AS origins,
        count(DISTINCT origin) FILTER (event = 'added') AS added,
        count(DISTINCT origin) FILTER (event = 'removed') AS removed,
        count(DISTINCT origin) FILTER (event = 'stricter') AS stricter,
        count(DISTINCT origin) FILTER (event = 'looser') AS looser,
        all_crawls() AS all_crawls
    FROM events
    GROUP BY product_token
    ORDER BY origins DESC, product_token
    LIMIT top;
