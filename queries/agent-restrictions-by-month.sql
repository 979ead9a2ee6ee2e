-- How many origins have blocked a crawler, month by month?
--
-- Topic: Who may crawl.
-- Reproduces: the monthly series of restrictions of Longpre et al. 2024 (Data Provenance Initiative),
--   with their forward filling: an origin's last answer holds until the next.
-- Denominator: origins (scheme, host, port) that have answered conclusively in the month or before (n).
--   A month is judged at its end, UTC.
-- Unit: origins (scheme, host and port), whose last answer holds until the next; crawl by crawl, by host,
--   domain and weight: agent-restrictions-over-time.
-- Intervals: none; see agent-restrictions-over-time.
-- Parameters: agents (['gptbot', 'ccbot']), first_month and last_month (dates; those of the
--   first and the last capture).
CREATE OR REPLACE MACRO agent_restrictions_by_month(
    agents VARCHAR[] := ['gptbot', 'ccbot'],
    first_month DATE := NULL,
    last_month DATE := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(known_tokens(agents)) AS product_token
    ),
    answers AS (
        -- The month of the next capture has that one's answer already.
        FROM counted_answers(
            (SELECT list(product_token) FROM chosen),
            'SELECT {''from_month'': from_month, ''until_month'': until_month} AS part, policy_id, 1.0::DOUBLE AS weight
            FROM (
                SELECT
                    date_trunc(''month'', utc(fetch_time)) AS from_month,
                    date_trunc(''month'', utc(known_until)) AS until_month,
                    policy_id
                FROM policy_spans
            )
            WHERE until_month IS NULL OR until_month > from_month'
        )
    ),
    counted AS (
        SELECT
            product_token,
            source = 'own' AS by_name,
            restriction,
            part.from_month AS from_month,
            part.until_month AS until_month,
            hosts AS origins
        FROM answers
    ),
    months AS (
        SELECT unnest(generate_series(
            date_trunc('month', coalesce(first_month, first_time AT TIME ZONE 'UTC')),
            date_trunc('month', coalesce(last_month, last_time AT TIME ZONE 'UTC')),
            INTERVAL 1 MONTH
        )) AS month
        FROM (SELECT min(fetch_time) AS first_time, max(fetch_time) AS last_time FROM captures)
    )
    SELECT
        counted.product_token,
        strftime(month, '%Y-%m') AS month,
        pct(coalesce(sum(origins) FILTER (restriction = 'full'), 0), sum(origins)) AS pct_full,
        pct(coalesce(sum(origins) FILTER (restriction = 'full' AND by_name), 0), sum(origins)) AS pct_full_by_name,
        pct(coalesce(sum(origins) FILTER (restriction = 'partial'), 0), sum(origins)) AS pct_partial,
        pct(coalesce(sum(origins) FILTER (restriction = 'none'), 0), sum(origins)) AS pct_none,
        sum(origins)::BIGINT AS n,
        'origins answered' AS population,
        'origin' AS unit,
        all_crawls() AS all_crawls,
        announcement_note(since, since_source, last_day(month)) AS note
    FROM months
    JOIN counted ON from_month <= month AND (until_month IS NULL OR until_month > month)
    LEFT JOIN agent_catalog ON agent_catalog.product_token = counted.product_token
    GROUP BY counted.product_token, month, since, since_source
    ORDER BY counted.product_token, month;
