-- From one crawl to the next, how many hosts began to block a crawler, and how many stopped?
--
-- Topic: What changes.
-- Reproduces: restrictions that sites removed, crawl by crawl, of Liu et al., IMC 2025 (figure 4).
-- Denominator: hosts that answered conclusively (with a file, or without one) in the crawl and in an
--   earlier one, the last such of which it is compared with; none for the first crawl. full: no path
--   is open to the crawler, by its own group, its fallback's or that for `*`.
-- Parameters: agents (the 8 AI agents that most policies name).
CREATE OR REPLACE MACRO restrictions_added_and_removed(agents VARCHAR[] := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    steps AS (
        SELECT crawl, policy_id, policy_id_before, count(*) AS hosts
        FROM (
            SELECT
                crawl,
                policy_id,
                lag(crawl) OVER by_host AS crawl_before,
                lag(policy_id) OVER by_host AS policy_id_before
            FROM hosts
            WHERE is_settling(final_status, file_id, policy_id)
            WINDOW by_host AS (PARTITION BY url_host_name ORDER BY crawl)
        )
        WHERE crawl_before IS NOT NULL
        GROUP BY ALL
    ),
    answers AS (
        FROM effective_agents_of((SELECT list(product_token) FROM chosen))
    ),
    judged AS (
        SELECT
            crawl,
            asked.product_token,
            hosts,
            coalesce(before.restriction, 'none') AS before,
            coalesce(after.restriction, 'none') AS after,
            coalesce(before.source = 'own', false) AS named_before,
            coalesce(after.source = 'own', false) AS named_after
        FROM steps
        CROSS JOIN chosen AS asked
        LEFT JOIN answers AS before
            ON before.policy_id = steps.policy_id_before AND before.product_token = asked.product_token
        LEFT JOIN answers AS after
            ON after.policy_id = steps.policy_id AND after.product_token = asked.product_token
    )
    SELECT
        product_token,
        crawl,
        coalesce(sum(hosts), 0)::BIGINT AS hosts,
        coalesce(sum(hosts) FILTER (before <> 'full' AND after = 'full'), 0)::BIGINT AS full_added,
        coalesce(sum(hosts) FILTER (before = 'full' AND after <> 'full'), 0)::BIGINT AS full_removed,
        coalesce(sum(hosts) FILTER (before = 'full' AND after = 'none'), 0)::BIGINT AS full_to_none,
        coalesce(sum(hosts) FILTER (named_after AND NOT named_before), 0)::BIGINT AS named_first,
        coalesce(sum(hosts) FILTER (named_before AND NOT named_after), 0)::BIGINT AS named_no_more
    FROM (SELECT DISTINCT crawl FROM captures)
    CROSS JOIN chosen AS asked
    LEFT JOIN judged USING (crawl, product_token)
    GROUP BY product_token, crawl
    ORDER BY product_token, crawl;
