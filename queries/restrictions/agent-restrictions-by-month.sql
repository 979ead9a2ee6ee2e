-- How many origins have blocked a crawler, month by month?
-- Keywords: trend, time series, monthly, Data Provenance, forward fill.
-- Reproduces: the monthly series (Longpre et al. 2024): an origin's last answer holds until the next.
-- Denominator: origins that have given a usable answer in the month or before (n). A month is judged at its end, UTC.
--   Captures without a time are left out.
-- Unit: origins (scheme, host and port). Intervals: none; see agent-restrictions-over-time, by host and crawl.
-- Parameters: first_month, last_month: dates; by default the months of the first and the last capture.
CREATE OR REPLACE MACRO agent_restrictions_by_month(
    agents := ['gptbot', 'ccbot'], first_month DATE := NULL, last_month DATE := NULL
) AS TABLE
    WITH months AS (
        SELECT unnest(generate_series(
            date_trunc('month', coalesce(first_month, utc(first_time))),
            date_trunc('month', coalesce(last_month, utc(last_time))),
            INTERVAL 1 MONTH
        )) AS month
        FROM (SELECT min(fetch_time) AS first_time, max(fetch_time) AS last_time FROM captures)
    ),
    -- The answer of each origin at the end of each month: from the month of the next capture on, its answer counts.
    population AS (
        SELECT month AS stratum, policy_id, 1.0::DOUBLE AS weight
        FROM months
        JOIN policy_spans
            ON date_trunc('month', utc(fetch_time)) <= month
            AND (known_until IS NULL OR date_trunc('month', utc(known_until)) > month)
    )
    SELECT
        product_token, strftime(stratum, '%Y-%m') AS month,
        pct_where(restriction = 'full', hosts) AS pct_full,
        pct_where(restriction = 'full' AND answers.source = 'own', hosts) AS pct_full_by_name,
        pct_where(restriction = 'partial', hosts) AS pct_partial,
        pct_where(restriction = 'none', hosts) AS pct_none,
        sum(hosts)::BIGINT AS n,
        'origins answered' AS population, 'origin' AS unit, all_crawls() AS all_crawls,
        announcement_note(since, since_source, last_day(stratum)) AS note
    FROM counted_answers(known_tokens(agents), 'population') AS answers
    LEFT JOIN agent_catalog USING (product_token)
    GROUP BY product_token, stratum, since, since_source
    ORDER BY product_token, month;
