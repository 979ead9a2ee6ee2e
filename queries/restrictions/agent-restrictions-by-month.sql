-- How many origins have blocked a crawler, month by month?
--
-- Topic: Who may crawl.
-- Keywords: trend, time series, monthly, Data Provenance, forward fill.
-- Reproduces: the monthly series of restrictions of Longpre et al. 2024 (Data Provenance
--   Initiative), with their forward filling: an origin's last answer holds until the next.
-- Denominator: origins (scheme, host, port) that have answered conclusively in the month or before
--   (n). A month is judged at its end, UTC.
-- Unit: origins (scheme, host and port), whose last answer holds until the next; crawl by crawl, by
--   host, domain and weight: agent-restrictions-over-time.
-- Intervals: none; see agent-restrictions-over-time.
-- Parameters: agents (['gptbot', 'ccbot']), first_month and last_month (dates; those of the first
--   and the last capture).
CREATE OR REPLACE MACRO agent_restrictions_by_month(
    agents := ['gptbot', 'ccbot'],
    first_month DATE := NULL,
    last_month DATE := NULL
) AS TABLE
    WITH spans AS (
        SELECT
            {
                'from_month': date_trunc('month', utc(fetch_time)),
                'until_month': date_trunc('month', utc(known_until))
            } AS stratum,
            policy_id,
            1.0::DOUBLE AS weight
        FROM policy_spans
    ),
    -- The month of the next capture has that one's answer already.
    whole_spans AS (
        FROM spans WHERE stratum.until_month IS NULL OR stratum.until_month > stratum.from_month
    ),
    answers AS (
        SELECT *, source = 'own' AS by_name FROM counted_answers(known_tokens(agents), 'whole_spans')
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
        answers.product_token,
        strftime(month, '%Y-%m') AS month,
        pct(coalesce(sum(hosts) FILTER (restriction = 'full'), 0), sum(hosts)) AS pct_full,
        pct(coalesce(sum(hosts) FILTER (restriction = 'full' AND by_name), 0), sum(hosts)) AS pct_full_by_name,
        pct(coalesce(sum(hosts) FILTER (restriction = 'partial'), 0), sum(hosts)) AS pct_partial,
        pct(coalesce(sum(hosts) FILTER (restriction = 'none'), 0), sum(hosts)) AS pct_none,
        sum(hosts)::BIGINT AS n,
        'origins answered' AS population,
        'origin' AS unit,
        all_crawls() AS all_crawls,
        announcement_note(since, since_source, last_day(month)) AS note
    FROM months
    JOIN answers
        ON stratum.from_month <= month AND (stratum.until_month IS NULL OR stratum.until_month > month)
    LEFT JOIN agent_catalog ON agent_catalog.product_token = answers.product_token
    GROUP BY answers.product_token, month, since, since_source
    ORDER BY answers.product_token, month;
