-- For which crawlers do hosts begin, stop, tighten or loosen their rules?
--
-- Topic: What changes.
-- Reproduces: added and removed restrictions per agent of Liu et al., IMC 2025; changes over time of
--   Longpre et al. 2024 (Data Provenance Initiative).
-- Denominator: none; counts of origins between captures in a row, over all crawls of the dataset (see
--   the view changes). An origin that changes twice counts in both directions.
-- Parameters: since and until (all time), top (30).
CREATE OR REPLACE MACRO agent_changes(
    since TIMESTAMPTZ := '-infinity'::TIMESTAMPTZ,
    until TIMESTAMPTZ := 'infinity'::TIMESTAMPTZ,
    top INTEGER := 30
) AS TABLE
    WITH changed AS (
        FROM changes
        WHERE fetch_time BETWEEN since AND until
    ),
    events AS (
        SELECT origin, 'added' AS event, unnest(agents_added) AS product_token FROM changed
        UNION ALL
        SELECT origin, 'removed', unnest(agents_removed) FROM changed
        UNION ALL
        SELECT origin, 'stricter', unnest(agents_stricter) FROM changed
        UNION ALL
        SELECT origin, 'looser', unnest(agents_looser) FROM changed
    )
    SELECT
        product_token,
        count(DISTINCT origin) AS origins,
        count(DISTINCT origin) FILTER (event = 'added') AS added,
        count(DISTINCT origin) FILTER (event = 'removed') AS removed,
        count(DISTINCT origin) FILTER (event = 'stricter') AS stricter,
        count(DISTINCT origin) FILTER (event = 'looser') AS looser
    FROM events
    GROUP BY product_token
    ORDER BY origins DESC, product_token
    LIMIT top;
