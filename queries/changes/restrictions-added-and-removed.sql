-- From one crawl to the next, how many hosts began to block a crawler, and how many stopped?
--
-- Topic: What changes.
-- Keywords: trend, began, stopped, unblocked, lifted, from crawl to crawl.
-- Reproduces: restrictions that sites removed, crawl by crawl, of Liu et al., IMC 2025 (figure 4).
-- Denominator: hosts that answered conclusively (with a file, or without one) in the crawl and in
--   an earlier one, the last such of which it is compared with; none for the first crawl, whose
--   counts are null. full: no path is open to the crawler, by its own group, its fallback's or that
--   for `*`.
-- Parameters: agents (the 8 AI agents that most policies name).
CREATE OR REPLACE MACRO restrictions_added_and_removed(agents := NULL) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT coalesce(known_tokens(agents), usual_ai_agents(8)) AS tokens
    ),
    -- Each answer of a host with the one before.
    steps AS MATERIALIZED (
        SELECT crawl, policy_id, policy_id_before, had_one, count(*) AS hosts
        FROM (
            SELECT
                crawl,
                policy_id,
                lag(policy_id) OVER by_host AS policy_id_before,
                lag(crawl) OVER by_host IS NOT NULL AS had_one
            FROM hosts
            WHERE is_settled
            WINDOW by_host AS (PARTITION BY url_host_name ORDER BY crawl_number(crawl))
        )
        GROUP BY ALL
    ),
    compared AS (
        SELECT crawl, sum(hosts)::BIGINT AS hosts_now, coalesce(sum(hosts) FILTER (had_one), 0)::BIGINT AS hosts
        FROM steps
        GROUP BY crawl
    ),
    answers AS MATERIALIZED (
        SELECT policy_id, product_token, source = 'own' AS names, restriction
        FROM effective_agents_of((SELECT tokens FROM chosen))
    ),
    -- A host without a policy has no answers: it names and blocks nobody.
    judged AS (
        SELECT
            crawl,
            asked.product_token,
            steps.hosts,
            coalesce(before.restriction, 'none') AS before,
            coalesce(after.restriction, 'none') AS after,
            coalesce(before.names, false) AS named_before,
            coalesce(after.names, false) AS named_after
        FROM steps
        CROSS JOIN (SELECT unnest(tokens) AS product_token FROM chosen) AS asked
        LEFT JOIN answers AS before
            ON before.policy_id = policy_id_before AND before.product_token = asked.product_token
        LEFT JOIN answers AS after
            ON after.policy_id = steps.policy_id AND after.product_token = asked.product_token
        WHERE had_one AND policy_id_before IS DISTINCT FROM steps.policy_id
    ),
    changed AS (
        SELECT
            crawl,
            product_token,
            sum(hosts) FILTER (before <> 'full' AND after = 'full') AS full_added,
            sum(hosts) FILTER (before = 'full' AND after <> 'full') AS full_removed,
            sum(hosts) FILTER (before = 'full' AND after = 'none') AS full_to_none,
            sum(hosts) FILTER (named_after AND NOT named_before) AS named_first,
            sum(hosts) FILTER (named_before AND NOT named_after) AS named_no_more
        FROM judged
        GROUP BY ALL
    )
    SELECT
        product_token,
        crawl,
        coalesce(hosts, 0) AS hosts,
        coalesce(full_added, zero)::BIGINT AS full_added,
        coalesce(full_removed, zero)::BIGINT AS full_removed,
        coalesce(full_to_none, zero)::BIGINT AS full_to_none,
        coalesce(named_first, zero)::BIGINT AS named_first,
        coalesce(named_no_more, zero)::BIGINT AS named_no_more,
        joined_notes([
            if(crawl_number(crawl) = 1, 'the crawl is the first one', no_panel_note(hosts, hosts_now, hosts_now)),
            unannounced.note,
            order_note(crawl)
        ]) AS note
    FROM (SELECT unnest(crawl_labels()) AS crawl)
    CROSS JOIN (SELECT unnest(tokens) AS product_token FROM chosen)
    LEFT JOIN (SELECT *, if(hosts > 0, 0, NULL) AS zero FROM compared) USING (crawl)
    LEFT JOIN changed USING (crawl, product_token)
    LEFT JOIN unannounced_agents AS unannounced USING (crawl, product_token)
    ORDER BY product_token, crawl_number(crawl);
