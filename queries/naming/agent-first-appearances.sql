-- When do hosts begin to name a crawler?
-- Keywords: first seen, since when, start, new crawlers, adoption date.
-- Reproduces: first mention of each bot per site (Cui et al., CCS 2025, figure 5).
-- Denominator: none; origins that name the crawler in some capture. new: an earlier capture of the
--   origin did not name the crawler, so the month is exact to the time between captures. Other
--   origins name it from their first capture on, and began at an unknown earlier time. Captures
--   without a time are left out.
CREATE OR REPLACE MACRO agent_first_appearances(agents := NULL) AS TABLE
    WITH mentions AS (
        SELECT product_token, strftime(utc(first_named), '%Y-%m') AS month, first_named > first_time AS is_new
        FROM first_mentions(chosen_ai_agents(agents, 8))
    )
    SELECT
        product_token, month,
        count(*) AS origins,
        count(*) FILTER (is_new) AS origins_new,
        sum(count(*)) OVER (PARTITION BY product_token ORDER BY month)::BIGINT AS origins_until_then,
        all_crawls() AS all_crawls,
        announcement_note(since, since_source, last_day(strptime(month, '%Y-%m'))) AS note
    FROM mentions LEFT JOIN agent_catalog USING (product_token)
    GROUP BY product_token, month, since, since_source
    ORDER BY product_token, month;
