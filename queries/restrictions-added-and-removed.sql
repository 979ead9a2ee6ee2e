-- From one crawl to the next, how many hosts began to block a crawler, and how many stopped?
--
-- Topic: What changes.
-- Reproduces: restrictions that sites removed, crawl by crawl, of Liu et al., IMC 2025 (figure 4).
-- Denominator: hosts that answered conclusively (with a file, or without one) in the crawl and in an earlier one, the
--   last such of which it is compared with; none for the first crawl, whose counts are null. full: no path is open to
--   the crawler, by its own group, its fallback's or that for `*`.
-- Parameters: agents (the 8 AI agents that most policies name).
CREATE OR REPLACE MACRO restrictions_added_and_removed(agents VARCHAR[] := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    watched AS MATERIALIZED (
        SELECT url_host_name, min(crawl_number(crawl)) AS first_crawl, NOT is_one_policy(policy_id) AS is_changing
        FROM hosts
        WHERE is_settled
        GROUP BY url_host_name
    ),
    -- Hosts with an answer before: all that answered but those that did for the first time.
    compared AS (
        SELECT crawl, hosts AS hosts_now, hosts - coalesce(new_hosts, 0) AS hosts, if(hosts > coalesce(new_hosts, 0), 0, NULL) AS zero
        FROM (SELECT crawl, count(*) AS hosts FROM hosts WHERE is_settled GROUP BY crawl)
        LEFT JOIN (
            SELECT crawl_labels()[first_crawl] AS crawl, count(*) AS new_hosts FROM watched GROUP BY first_crawl
        ) USING (crawl)
    ),
    -- Most hosts have one policy in all crawls, and need not be put in order.
    steps AS MATERIALIZED (
        SELECT crawl, policy_id, policy_id_before, count(*) AS hosts
        FROM (
            SELECT
                crawl,
                policy_id,
                lag(crawl) OVER by_host AS crawl_before,
                lag(policy_id) OVER by_host AS policy_id_before
            FROM hosts
            SEMI JOIN (FROM watched WHERE is_changing) AS changing USING (url_host_name)
            WHERE is_settled
            WINDOW by_host AS (PARTITION BY url_host_name ORDER BY crawl_number(crawl))
        )
        WHERE crawl_before IS NOT NULL AND policy_id IS DISTINCT FROM policy_id_before
        GROUP BY ALL
    ),
    changed AS MATERIALIZED (
        SELECT policy_id FROM steps UNION SELECT policy_id_before FROM steps
    ),
    named AS MATERIALIZED (
        SELECT policy_id, product_token, source, restriction
        FROM named_agents_of((SELECT list(product_token) FROM chosen))
        SEMI JOIN changed USING (policy_id)
    ),
    -- What is not here is not disallowed anything.
    answers AS MATERIALIZED (
        FROM named
        UNION ALL
        SELECT policy_id, asked.product_token, 'wildcard', restriction
        FROM (FROM agents SEMI JOIN changed USING (policy_id) WHERE product_token = '*' AND restriction <> 'none') AS everybody
        CROSS JOIN asked_agents((SELECT list(product_token) FROM chosen)) AS asked
        ANTI JOIN named ON named.policy_id = everybody.policy_id AND named.product_token = asked.product_token
        WHERE obeys_wildcard
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
        coalesce(any_value(compared.hosts), 0) AS hosts,
        coalesce(sum(judged.hosts) FILTER (before <> 'full' AND after = 'full'), any_value(zero))::BIGINT AS full_added,
        coalesce(sum(judged.hosts) FILTER (before = 'full' AND after <> 'full'), any_value(zero))::BIGINT AS full_removed,
        coalesce(sum(judged.hosts) FILTER (before = 'full' AND after = 'none'), any_value(zero))::BIGINT AS full_to_none,
        coalesce(sum(judged.hosts) FILTER (named_after AND NOT named_before), any_value(zero))::BIGINT AS named_first,
        coalesce(sum(judged.hosts) FILTER (named_before AND NOT named_after), any_value(zero))::BIGINT AS named_no_more,
        joined_notes(
            if(
                crawl_number(crawl) = 1,
                'the crawl is the first one',
                no_panel_note(any_value(compared.hosts), any_value(hosts_now), any_value(hosts_now))
            ),
            joined_notes(any_value(unannounced.note), order_note(crawl))
        ) AS note
    FROM (SELECT unnest(crawl_labels()) AS crawl)
    CROSS JOIN chosen AS asked
    LEFT JOIN compared USING (crawl)
    LEFT JOIN judged USING (crawl, product_token)
    LEFT JOIN unannounced_agents AS unannounced USING (crawl, product_token)
    GROUP BY product_token, crawl
    ORDER BY product_token, crawl_number(crawl);
