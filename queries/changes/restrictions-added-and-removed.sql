-- From one crawl to the next, how many hosts began to block a crawler, and how many stopped?
-- Keywords: trend, began, stopped, unblocked, lifted, from crawl to crawl.
-- Reproduces: restrictions that sites removed, crawl by crawl (Liu et al., IMC 2025, figure 4).
-- Denominator: none; hosts that gave a usable answer in the crawl and in an earlier one, each
--   compared with its latest earlier answer. Counts are null in the first crawl. full: the group
--   that applies allows the crawler no path; full_to_none: hosts of full_removed that now allow
--   every path; named: the file has a group for the crawler.
CREATE OR REPLACE MACRO restrictions_added_and_removed(agents := NULL) AS TABLE
    WITH asked AS MATERIALIZED (SELECT unnest(chosen_ai_agents(agents, 8)) AS product_token),
    -- Each answer of a host, with the previous answer.
    steps AS MATERIALIZED (
        SELECT
            crawl, policy_id,
            lag({'policy_id': policy_id}) OVER (PARTITION BY url_host_name ORDER BY crawl_number(crawl)) AS before
        FROM hosts
        WHERE is_settled
    ),
    answers AS MATERIALIZED (
        SELECT policy_id, product_token, source = 'own' AS is_named, restriction
        FROM effective_agents_of((SELECT list(product_token) FROM asked))
    ),
    -- A host without a policy names and blocks nobody.
    changes AS (
        SELECT
            crawl, asked.product_token,
            count(*) FILTER (later.restriction = 'full' AND earlier.restriction IS DISTINCT FROM 'full') AS full_added,
            count(*) FILTER (earlier.restriction = 'full' AND later.restriction IS DISTINCT FROM 'full') AS full_removed,
            count(*) FILTER (earlier.restriction = 'full' AND coalesce(later.restriction, 'none') = 'none') AS full_to_none,
            count(*) FILTER (later.is_named AND earlier.is_named IS NOT TRUE) AS named_first,
            count(*) FILTER (earlier.is_named AND later.is_named IS NOT TRUE) AS named_no_more
        FROM steps
        CROSS JOIN asked
        LEFT JOIN answers AS earlier
            ON earlier.policy_id = before.policy_id AND earlier.product_token = asked.product_token
        LEFT JOIN answers AS later ON later.policy_id = steps.policy_id AND later.product_token = asked.product_token
        WHERE before IS NOT NULL AND before.policy_id IS DISTINCT FROM steps.policy_id
        GROUP BY ALL
    ),
    compared AS (SELECT crawl, count(*) AS now, count(before) AS hosts FROM steps GROUP BY crawl)
    SELECT
        product_token, crawl,
        coalesce(hosts, 0) AS hosts,
        if(hosts > 0, coalesce(COLUMNS(changes.* EXCLUDE (crawl, product_token)), 0), NULL),
        joined_notes([
            if(crawl_number(crawl) = 1, 'it is the first crawl', no_panel_note(hosts, now, now, 'then and before')),
            announcement_of(product_token, crawl),
            order_note(crawl)
        ]) AS note
    FROM (SELECT unnest(crawl_labels()) AS crawl)
    CROSS JOIN asked
    LEFT JOIN compared USING (crawl)
    LEFT JOIN changes USING (crawl, product_token)
    ORDER BY product_token, crawl_number(crawl);
