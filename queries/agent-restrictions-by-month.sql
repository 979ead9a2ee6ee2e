-- How much of the web has been closed to a crawler, month by month?
--
-- Reproduces: the monthly series of restrictions of Longpre et al. 2024 (Data Provenance Initiative),
--   with their forward filling: an origin's last answer holds until the next.
-- Denominator: origins (scheme, host, port) that have settled the question in the month or before.
--   A month is judged at its end, UTC.
-- Parameters: agents (['gptbot', 'ccbot']), first_month and last_month (dates; those of the
--   first and the last capture).

SET VARIABLE agents = coalesce(getvariable('agents'), ['gptbot', 'ccbot']);
SET VARIABLE first_month = coalesce(getvariable('first_month')::TIMESTAMPTZ, (SELECT min(fetch_time) FROM captures));
SET VARIABLE last_month = coalesce(getvariable('last_month')::TIMESTAMPTZ, (SELECT max(fetch_time) FROM captures));

WITH spans AS (
    SELECT
        product_token,
        source,
        restriction,
        date_trunc('month', fetch_time AT TIME ZONE 'UTC') AS first_month,
        -- The month of the next capture has that one's answer already.
        date_trunc('month', known_until AT TIME ZONE 'UTC') AS next_month
    FROM agent_spans(getvariable('agents'))
),
counted AS (
    SELECT product_token, source = 'own' AS by_name, restriction, first_month, next_month, count(*) AS origins
    FROM spans
    WHERE next_month IS NULL OR next_month > first_month
    GROUP BY ALL
),
months AS (
    SELECT unnest(generate_series(
        date_trunc('month', getvariable('first_month') AT TIME ZONE 'UTC'),
        date_trunc('month', getvariable('last_month') AT TIME ZONE 'UTC'),
        INTERVAL 1 MONTH
    )) AS month
)
SELECT
    product_token,
    strftime(month, '%Y-%m') AS month,
    sum(origins)::BIGINT AS origins,
    pct(coalesce(sum(origins) FILTER (restriction = 'full'), 0), sum(origins)) AS pct_full,
    pct(coalesce(sum(origins) FILTER (restriction = 'full' AND by_name), 0), sum(origins)) AS pct_full_by_name,
    pct(coalesce(sum(origins) FILTER (restriction = 'partial'), 0), sum(origins)) AS pct_partial,
    pct(coalesce(sum(origins) FILTER (restriction = 'none'), 0), sum(origins)) AS pct_none
FROM months
JOIN counted ON first_month <= month AND (next_month IS NULL OR next_month > month)
GROUP BY product_token, month
ORDER BY product_token, month;
