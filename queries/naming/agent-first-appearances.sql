-- When do hosts begin to name a crawler?
--
-- Topic: Who is named.
-- Keywords: first seen, since when, start, new crawlers, adoption date.
-- Reproduces: first mention of each bot per site of Cui et al., CCS 2025 (figure 5).
-- Denominator: origins that name the crawler in some capture. new: an earlier capture of the origin
--   settled that it did not, so that the month is right to the distance between its captures; the
--   others named it from the first capture on, and began at an unknown time before.
-- Parameters: agents (the 8 AI agents that most policies name).
CREATE OR REPLACE MACRO agent_first_appearances(agents := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    watched AS MATERIALIZED (
        FROM settled_origins WHERE first_time IS NOT NULL
    ),
    naming AS MATERIALIZED (
        SELECT policy_id, product_token FROM agents WHERE product_token IN (FROM chosen)
    ),
    named AS (
        -- Who has had one policy only named them from the first capture on.
        SELECT product_token, strftime(utc(first_time), '%Y-%m') AS month, false AS is_new
        FROM watched
        JOIN naming USING (policy_id)
        WHERE is_steady
        UNION ALL
        SELECT product_token, strftime(utc(min(fetch_time)), '%Y-%m'), min(fetch_time) > any_value(first_time)
        FROM resolved
        JOIN (SELECT origin, first_time FROM watched WHERE NOT is_steady) AS changing USING (origin)
        JOIN naming ON naming.policy_id = resolved.policy_id
        WHERE fetch_time IS NOT NULL AND is_settled
        GROUP BY origin, product_token
    )
    SELECT
        named.product_token,
        month,
        count(*) AS origins,
        count(*) FILTER (is_new) AS origins_new,
        sum(count(*)) OVER (PARTITION BY named.product_token ORDER BY month)::BIGINT AS origins_until_then,
        all_crawls() AS all_crawls,
        announcement_note(since, since_source, last_day(strptime(month, '%Y-%m'))) AS note
    FROM named
    LEFT JOIN agent_catalog ON agent_catalog.product_token = named.product_token
    GROUP BY named.product_token, month, since, since_source
    ORDER BY named.product_token, month;
