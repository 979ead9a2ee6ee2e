-- How long after a crawler became known do hosts first name it?
--
-- Topic: Who is named.
-- Keywords: reaction, delay, days after announcement, speed, lag.
-- Reproduces: response time after release of Cui et al., CCS 2025 (table 3), and their counts
--   before and after (figure 4).
-- Denominator: origins that answered conclusively (with a file, or without one) both before the
--   crawler became known and after (n). Days are from agent_catalog.since, the announcement or else
--   the first mention in a public list (since_source), to the first capture that names it: at most
--   the distance of two captures too long. Crawlers without a known date have no row.
-- Unit: origins (scheme, host and port), whose captures in order of time tell when a name came.
-- Intervals: none; see naming, crawl by crawl: agent-adoption-over-time.
-- Parameters: agents (every AI agent of the catalogue).
CREATE OR REPLACE MACRO agent_response_times(agents := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), (SELECT list(product_token) FROM agent_catalog WHERE is_ai))) AS product_token
    ),
    released AS (
        SELECT product_token, since_source, since AS since_day, since::TIMESTAMP AT TIME ZONE 'UTC' AS since
        FROM agent_catalog
        WHERE since IS NOT NULL AND product_token IN (FROM chosen)
    ),
    watched AS MATERIALIZED (
        FROM settled_origins
        -- Others were not watched when any of them became known.
        WHERE first_time < (SELECT max(since) FROM released) AND last_time >= (SELECT min(since) FROM released)
    ),
    days AS (
        SELECT utc(first_time)::DATE AS first_day, utc(last_time)::DATE AS last_day, count(*) AS origins
        FROM watched
        GROUP BY ALL
    ),
    counted AS (
        SELECT product_token, any_value(since_day) AS since_day, any_value(since_source) AS since_source, sum(origins)::BIGINT AS origins_watched
        FROM released
        JOIN days ON first_day < since_day AND last_day >= since_day
        GROUP BY product_token
    ),
    -- Who has had one policy only, and named the crawler in it, did so before it became known.
    steady AS (
        SELECT policy_id, utc(first_time)::DATE AS first_day, utc(last_time)::DATE AS last_day, count(*) AS origins
        FROM watched
        WHERE is_steady AND policy_id IS NOT NULL
        GROUP BY ALL
    ),
    always AS (
        SELECT product_token, sum(origins)::BIGINT AS origins
        FROM steady
        JOIN agents USING (policy_id)
        JOIN released USING (product_token)
        WHERE first_day < since_day AND last_day >= since_day
        GROUP BY product_token
    ),
    named AS (
        SELECT
            origin,
            product_token,
            min(fetch_time) AS first_named,
            any_value(first_time) AS first_time,
            any_value(last_time) AS last_time
        FROM resolved
        JOIN (FROM watched WHERE NOT is_steady) AS changing USING (origin)
        JOIN (FROM agents SEMI JOIN released USING (product_token)) AS naming ON naming.policy_id = resolved.policy_id
        WHERE fetch_time IS NOT NULL AND is_settled
        GROUP BY ALL
    ),
    waits AS (
        SELECT
            product_token,
            first_named > since AS is_after,
            date_diff('day', since_day, utc(first_named)::DATE) AS days
        FROM named
        JOIN released USING (product_token)
        WHERE first_time < since AND last_time >= since
    )
    SELECT
        product_token,
        strftime(since_day, '%Y-%m-%d') AS since,
        count(*) FILTER (NOT is_after) + coalesce(any_value(always.origins), 0) AS named_before,
        count(*) FILTER (is_after) AS named_after,
        pct(count(*) FILTER (is_after), origins_watched) AS pct_named_after,
        quantile_disc(days, 0.25) FILTER (is_after) AS p25_days,
        quantile_disc(days, 0.5) FILTER (is_after) AS median_days,
        quantile_disc(days, 0.75) FILTER (is_after) AS p75_days,
        origins_watched AS n,
        'origins watched' AS population,
        'origin' AS unit,
        since_source,
        all_crawls() AS all_crawls
    FROM counted
    LEFT JOIN waits USING (product_token)
    LEFT JOIN always USING (product_token)
    GROUP BY product_token, since_day, since_source, origins_watched
    ORDER BY named_after DESC, product_token;
