-- When did a file gain a rule, and when did it lose it?
-- Keywords: added, removed, first date, last date, timeline, diff, one site, history.
-- Reproduces: dates on which rules were added and removed, by agent and path (historical-robots-txt-parser).
-- Denominator: none; a row for each rule of an origin and each period in which it was present. first_seen, last_seen:
--   the first and last usable answer with the rule; absent_before, absent_after: the answers just before and after,
--   without it; null if there is no such answer (the rule may be older, or still present). Captures
--   without a time are left out. A site that moved to www. has rows for both origins. The latest change comes first.
-- Parameters: host: one host, with and without www.; all its groups count unless agents is set. Without host, agents
--   defaults to AI crawlers.
CREATE OR REPLACE MACRO rule_history(agents := NULL, host := NULL, top := 200) AS TABLE
    WITH asked AS NOT MATERIALIZED (
        FROM resolved WHERE host IS NULL OR url_host_name IN (lower(host), other_www(lower(host)))
    ),
    wanted AS MATERIALIZED (
        SELECT DISTINCT policy_id, product_token, rule_type, coalesce(path_raw, path) AS path
        FROM (SELECT policy_id, group_index, unnest(product_tokens) AS product_token FROM groups)
        JOIN rules USING (policy_id, group_index)
        WHERE product_token <> ''
            AND if(
                agents IS NULL AND host IS NOT NULL,
                policy_id IN (SELECT policy_id FROM asked),
                product_token IN (SELECT unnest(chosen_ai_agents(agents, 8)))
            )
    ),
    answers AS (
        SELECT
            origin, policy_id, fetch_time,
            row_number() OVER in_time AS place,
            lag(fetch_time) OVER in_time AS time_before,
            lead(fetch_time) OVER in_time AS time_after
        FROM asked
        SEMI JOIN (FROM resolved SEMI JOIN wanted USING (policy_id)) AS concerned USING (origin)
        WHERE is_settled AND fetch_time IS NOT NULL
        WINDOW in_time AS (
            PARTITION BY origin
            ORDER BY fetch_time, crawl, warc_filename, input_id, warc_record_offset, warc_record_inner_offset
        )
    ),
    held AS (
        SELECT
            *,
            place - row_number() OVER (PARTITION BY origin, product_token, rule_type, path ORDER BY place) AS run
        FROM answers JOIN wanted USING (policy_id)
    )
    SELECT
        origin, product_token, rule_type, path,
        arg_min_null(time_before, place) AS absent_before,
        min(fetch_time) AS first_seen,
        max(fetch_time) AS last_seen,
        arg_max_null(time_after, place) AS absent_after,
        all_crawls() AS all_crawls
    FROM held
    GROUP BY origin, product_token, rule_type, path, run
    ORDER BY
        greatest(absent_after, if(absent_before IS NULL, NULL, first_seen)) DESC NULLS LAST,
        origin, product_token, rule_type, path, run DESC
    LIMIT top;
