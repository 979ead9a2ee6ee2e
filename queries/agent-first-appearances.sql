-- When do hosts begin to name a crawler?
--
-- Topic: Who is named.
-- Reproduces: first mention of each bot per site of Cui et al., CCS 2025 (figure 5).
-- Denominator: origins that name the crawler in some capture. new: an earlier capture of the origin
--   settled that it did not, so that the month is right to the distance between its captures; the
--   others named it from the first capture on, and began at an unknown time before.
-- Parameters: agents (the 8 AI agents that most policies name).
CREATE OR REPLACE MACRO agent_first_appearances(agents VARCHAR[] := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    settled AS (
        SELECT origin, policy_id, fetch_time FROM resolved WHERE fetch_time IS NOT NULL AND is_settled
    ),
    named AS MATERIALIZED (
        SELECT origin, product_token, min(fetch_time) AS first_named
        FROM settled
        JOIN (FROM agents WHERE product_token IN (FROM chosen)) AS agents USING (policy_id)
        GROUP BY ALL
    ),
    watched AS (
        SELECT origin, min(fetch_time) AS first_seen
        FROM settled
        SEMI JOIN named USING (origin)
        GROUP BY origin
    )
    SELECT
        product_token,
        strftime(first_named AT TIME ZONE 'UTC', '%Y-%m') AS month,
        count(*) AS origins,
        count(*) FILTER (first_named > first_seen) AS origins_new,
        sum(count(*)) OVER (PARTITION BY product_token ORDER BY month)::BIGINT AS origins_until_then
    FROM named
    JOIN watched USING (origin)
    GROUP BY product_token, month
    ORDER BY product_token, month;
