-- From one crawl to the next, how many hosts began to block a crawler, and how many stopped?
--
-- Keywords: trend, began, stopped, unblocked, lifted, from crawl to crawl.
-- Reproduces: restrictions that sites removed, crawl by crawl, of Liu et al., IMC 2025 (figure 4).
-- Denominator: none; hosts that answered conclusively in the crawl and in an earlier one, the last
--   such of which it is compared with; null in the first crawl. full: no path is allowed to the
--   crawler, by whatever group.
CREATE OR REPLACE MACRO restrictions_added_and_removed(agents := NULL) AS TABLE
    WITH asked AS MATERIALIZED (SELECT unnest(chosen_ai_agents(agents, 8)) AS product_token),
    -- Each answer of a host with the one before.
    steps AS MATERIALIZED (
        SELECT
            crawl, policy_id,
            lag(policy_id) OVER by_host AS policy_id_before,
            lag(crawl) OVER by_host IS NOT NULL AS has_before
        FROM hosts
        WHERE is_settled
        WINDOW by_host AS (PARTITION BY url_host_name ORDER BY crawl_number(crawl))
    ),
    answers AS MATERIALIZED (
        SELECT policy_id, product_token, source = 'own' AS is_named, restriction
        FROM effective_agents_of((SELECT list(product_token) FROM asked))
    ),
    -- A host without a policy names and blocks nobody.
    answers_in_steps AS (
        SELECT
            crawl, asked.product_token,
            coalesce(earlier.is_named, false) AS was_named,
            coalesce(later.is_named, false) AS is_named,
            coalesce(earlier.restriction, 'none') AS restriction_before,
            coalesce(later.restriction, 'none') AS restriction
        FROM steps
        CROSS JOIN asked
        LEFT JOIN answers AS earlier
            ON earlier.policy_id = policy_id_before AND earlier.product_token = asked.product_token
        LEFT JOIN answers AS later
            ON later.policy_id = steps.policy_id AND later.product_token = asked.product_token
        WHERE has_before AND policy_id_before IS DISTINCT FROM steps.policy_id
    ),
    changes AS (
        SELECT
            crawl, product_token,
            count(*) FILTER (restriction_before <> 'full' AND restriction = 'full') AS full_added,
            count(*) FILTER (restriction_before = 'full' AND restriction <> 'full') AS full_removed,
            count(*) FILTER (restriction_before = 'full' AND restriction = 'none') AS full_to_none,
            count(*) FILTER (is_named AND NOT was_named) AS named_first,
            count(*) FILTER (was_named AND NOT is_named) AS named_no_more
        FROM answers_in_steps
        GROUP BY ALL
    ),
    compared AS (
        SELECT crawl, count(*) AS hosts_now, count(*) FILTER (has_before) AS hosts FROM steps GROUP BY crawl
    )
    SELECT
        product_token, crawl,
        coalesce(hosts, 0) AS hosts,
        if(hosts > 0, coalesce(full_added, 0), NULL) AS full_added,
        if(hosts > 0, coalesce(full_removed, 0), NULL) AS full_removed,
        if(hosts > 0, coalesce(full_to_none, 0), NULL) AS full_to_none,
        if(hosts > 0, coalesce(named_first, 0), NULL) AS named_first,
        if(hosts > 0, coalesce(named_no_more, 0), NULL) AS named_no_more,
        joined_notes([
            if(crawl_number(crawl) = 1, 'the crawl is the first one', no_panel_note(hosts, hosts_now, hosts_now)),
            announcement_of(product_token, crawl),
            order_note(crawl)
        ]) AS note
    FROM (SELECT unnest(crawl_labels()) AS crawl)
    CROSS JOIN asked
    LEFT JOIN compared USING (crawl)
    LEFT JOIN changes USING (crawl, product_token)
    ORDER BY product_token, crawl_number(crawl);
