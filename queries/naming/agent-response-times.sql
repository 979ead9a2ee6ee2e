-- How long after a crawler became known do hosts first name it?
-- Keywords: reaction, delay, days after announcement, speed, lag.
-- Reproduces: response times, counts before and after release (Cui et al., CCS 2025, table 3, figure 4).
-- Denominator: origins that gave a usable answer both before the crawler became known and after (n), including those
--   that named it before. Days run from agent_catalog.since (the announcement, or else the first mention in a public
--   list) to the first capture that names the crawler, which is late by at most the time between captures. Captures
--   without a time are left out. Default: AI crawlers with such a date.
-- Unit: origins (scheme, host and port). Intervals: none; agent-adoption-over-time has naming by crawl.
CREATE OR REPLACE MACRO agent_response_times(agents := NULL) AS TABLE
    WITH known AS (
        SELECT product_token, since, since_source
        FROM agent_catalog
        WHERE since IS NOT NULL AND if(agents IS NULL, is_ai, list_contains(known_tokens(agents), product_token))
    ),
    watched AS (
        SELECT known.*, count(*) AS n
        FROM known
        JOIN settled_origins ON utc(first_time) < known.since AND utc(last_time) >= known.since
        GROUP BY ALL
    ),
    mentions AS (
        SELECT
            product_token,
            utc(first_named) > known.since AS is_after,
            date_diff('day', known.since, utc(first_named)::DATE) AS days
        FROM first_mentions((SELECT list(product_token) FROM known))
        JOIN known USING (product_token)
        WHERE utc(first_time) < known.since AND utc(last_time) >= known.since
    )
    SELECT
        product_token,
        strftime(watched.since, '%Y-%m-%d') AS since,
        count(*) FILTER (NOT is_after) AS named_before, count(*) FILTER (is_after) AS named_after,
        pct(count(*) FILTER (is_after), n) AS pct_named_after,
        quantile_disc(days, 0.25) FILTER (is_after) AS p25_days,
        quantile_disc(days, 0.5) FILTER (is_after) AS median_days,
        quantile_disc(days, 0.75) FILTER (is_after) AS p75_days,
        n, 'origins watched' AS population, 'origin' AS unit, since_source, all_crawls() AS all_crawls
    FROM watched LEFT JOIN mentions USING (product_token)
    GROUP BY product_token, watched.since, since_source, n
    ORDER BY named_after DESC, product_token;
