-- How long after a crawler was announced do hosts first name it?
--
-- Topic: Who is named.
-- Reproduces: response time after release of Cui et al., CCS 2025 (table 3), and their counts before
--   and after (figure 4).
-- Denominator: origins that answered conclusively (with a file, or without one) both before the crawler
--   was announced and after (origins_watched). Days are from the announcement (agent_catalog.since) to
--   the first capture that names it: at most the distance of two captures too long. Crawlers without
--   a known date have no row.
-- Parameters: agents (every AI agent of the catalogue).
CREATE OR REPLACE MACRO agent_response_times(agents VARCHAR[] := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), (SELECT list(product_token) FROM agent_catalog WHERE is_ai))) AS product_token
    ),
    settled AS (
        SELECT origin, policy_id, fetch_time FROM resolved WHERE fetch_time IS NOT NULL AND is_settled
    ),
    released AS (
        SELECT product_token, since::TIMESTAMP AT TIME ZONE 'UTC' AS since
        FROM agent_catalog
        WHERE since IS NOT NULL AND product_token IN (FROM chosen)
    ),
    watched AS MATERIALIZED (
        SELECT origin, min(fetch_time) AS first_time, max(fetch_time) AS last_time
        FROM settled
        GROUP BY origin
        -- Others were not watched when any of them was announced.
        HAVING first_time < (SELECT max(since) FROM released) AND last_time >= (SELECT min(since) FROM released)
    ),
    named AS (
        SELECT origin, product_token, min(fetch_time) AS first_named
        FROM settled
        JOIN (FROM agents SEMI JOIN released USING (product_token)) AS agents USING (policy_id)
        SEMI JOIN watched USING (origin)
        GROUP BY ALL
    )
    SELECT
        product_token,
        strftime(since AT TIME ZONE 'UTC', '%Y-%m-%d') AS since,
        count(*) AS origins_watched,
        count(*) FILTER (first_named <= since) AS named_before,
        count(*) FILTER (first_named > since) AS named_after,
        pct(count(*) FILTER (first_named > since), count(*)) AS pct_named_after,
        quantile_disc(date_diff('day', since, first_named), 0.25) FILTER (first_named > since) AS p25_days,
        quantile_disc(date_diff('day', since, first_named), 0.5) FILTER (first_named > since) AS median_days,
        quantile_disc(date_diff('day', since, first_named), 0.75) FILTER (first_named > since) AS p75_days
    FROM released
    JOIN watched ON watched.first_time < since AND watched.last_time >= since
    LEFT JOIN named USING (origin, product_token)
    GROUP BY ALL
    ORDER BY named_after DESC, product_token;
