-- Of the hosts that two crawls have in common, how many began to block a crawler, and how many stopped?
--
-- Topic: What changes.
-- Reproduces: changes over the same sites of Longpre et al. 2024 and of Liu et al., IMC 2025 (figure 4).
-- Denominator: the panel (n): hosts that answered conclusively in both crawls, with a file, or that there
--   is none. full: no path is allowed. change is in percentage points, its interval that of 95%, with
--   registrable domains as clusters. Of the blocks that are gone, file_gone had a robots.txt before and
--   have none now; rule_gone have one. hosts_silent answered conclusively before, and not after: they
--   are no part of the panel.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one, by label), before
--   (the crawl before that one), by (host; domain, weight), weights (path of a CSV or Parquet file of
--   domain and weight).
CREATE OR REPLACE MACRO agent_panel(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    before VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    now AS (
        SELECT url_host_name, domain_number, cluster, policy_id, weight
        FROM query('FROM ' || hosts_sql('answered', crawl, if("by" = 'domain', 'host', "by"), weights))
    ),
    paired AS (
        SELECT now.domain_number, cluster, earlier.policy_id AS policy_id_before, now.policy_id, weight
        FROM now
        JOIN hosts_in('answered', crawl_before(crawl, before)) AS earlier USING (url_host_name)
    ),
    -- By domain, every domain of the panel weighs 1, whatever hosts it has beside it.
    kept AS MATERIALIZED (
        FROM query(if(
            "by" = 'domain',
            'SELECT * REPLACE (
                if(domain_number IS NULL, 1.0, 1.0 / count(*) OVER (PARTITION BY domain_number)) AS weight
            )',
            ''
        ) || ' FROM paired')
    ),
    panel AS MATERIALIZED (
        SELECT
            cluster,
            policy_id_before,
            policy_id,
            count(*) AS hosts,
            sum(weight)::DOUBLE AS weight,
            sum(weight * weight)::DOUBLE AS squares
        FROM kept
        GROUP BY ALL
    ),
    clusters AS MATERIALIZED (
        SELECT cluster, sum(hosts) AS hosts, sum(weight) AS weight, sum(squares) AS squares FROM panel GROUP BY cluster
    ),
    total AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            (
                SELECT count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL) FROM kept
            ) AS n_domains,
            sum(cluster_count(cluster, hosts))::BIGINT AS m,
            sum(weight) AS w,
            sum(cluster_product(cluster, squares, weight, weight)) AS ww
        FROM clusters
    ),
    named AS MATERIALIZED (
        FROM named_agents_of((SELECT list(product_token) FROM chosen))
    ),
    asked AS (
        FROM asked_agents((SELECT list(product_token) FROM chosen))
    ),
    everybody AS (
        SELECT policy_id FROM agents WHERE product_token = '*' AND restriction = 'full'
    ),
    answers AS MATERIALIZED (
        SELECT policy_id, product_token FROM named WHERE restriction = 'full'
        UNION ALL
        SELECT policy_id, asked.product_token
        FROM everybody
        CROSS JOIN asked
        ANTI JOIN named ON named.policy_id = everybody.policy_id AND named.product_token = asked.product_token
        WHERE obeys_wildcard
    ),
    -- Hosts that block somebody before, and those that do so only after.
    judged AS (
        SELECT
            earlier.product_token,
            cluster,
            hosts,
            weight,
            squares,
            panel.policy_id,
            true AS was_full,
            later.policy_id IS NOT NULL AS is_full
        FROM panel
        JOIN answers AS earlier ON earlier.policy_id = policy_id_before
        LEFT JOIN answers AS later
            ON later.policy_id = panel.policy_id AND later.product_token = earlier.product_token
        UNION ALL
        SELECT later.product_token, cluster, hosts, weight, squares, panel.policy_id, false, true
        FROM panel
        JOIN answers AS later ON later.policy_id = panel.policy_id
        ANTI JOIN answers AS earlier
            ON earlier.policy_id = policy_id_before AND earlier.product_token = later.product_token
    ),
    by_cluster AS (
        SELECT
            product_token,
            cluster,
            sum(hosts) FILTER (was_full) AS hosts_before,
            sum(hosts) FILTER (is_full) AS hosts_after,
            sum(hosts) FILTER (is_full AND NOT was_full) AS hosts_added,
            sum(hosts) FILTER (was_full AND NOT is_full AND policy_id IS NOT NULL) AS hosts_rule_gone,
            sum(hosts) FILTER (was_full AND NOT is_full AND policy_id IS NULL) AS hosts_file_gone,
            coalesce(sum(weight) FILTER (was_full), 0) AS was,
            coalesce(sum(weight) FILTER (is_full), 0) AS is_now,
            is_now - was AS y,
            coalesce(sum(squares) FILTER (is_full AND NOT was_full), 0) AS squares_added,
            coalesce(sum(squares) FILTER (was_full AND NOT is_full), 0) AS squares_gone
        FROM judged
        GROUP BY ALL
    ),
    summed AS (
        SELECT
            product_token,
            sum(hosts_before) AS hosts_before,
            sum(hosts_after) AS hosts_after,
            sum(hosts_added) AS hosts_added,
            sum(hosts_rule_gone) AS hosts_rule_gone,
            sum(hosts_file_gone) AS hosts_file_gone,
            sum(was) AS was,
            sum(is_now) AS is_now,
            sum(y) AS y,
            sum(cluster_product(by_cluster.cluster, squares_added + squares_gone, y, y)) AS yy,
            sum(cluster_product(by_cluster.cluster, squares_added - squares_gone, y, weight)) AS yw
        FROM by_cluster
        JOIN clusters ON clusters.cluster IS NOT DISTINCT FROM by_cluster.cluster
        GROUP BY product_token
    )
    SELECT
        product_token,
        crawl_before(crawl, before) AS crawl_before,
        known_crawl(crawl) AS crawl,
        n,
        n_domains,
        coalesce(hosts_before, 0)::BIGINT AS hosts_full_before,
        coalesce(hosts_after, 0)::BIGINT AS hosts_full,
        pct(coalesce(was, 0), w) AS pct_full_before,
        pct(coalesce(is_now, 0), w) AS pct_full,
        pct(coalesce(y, 0), w) AS change,
        change_low(y, yy, yw, w, ww, m) AS change_low,
        change_high(y, yy, yw, w, ww, m) AS change_high,
        coalesce(hosts_added, 0)::BIGINT AS hosts_added,
        coalesce(hosts_rule_gone, 0)::BIGINT AS hosts_rule_gone,
        coalesce(hosts_file_gone, 0)::BIGINT AS hosts_file_gone,
        population_size('answered', crawl_before(crawl, before)) - coalesce(n, 0) AS hosts_silent,
        'panel' AS population,
        "by" AS unit
    FROM chosen
    LEFT JOIN summed USING (product_token)
    CROSS JOIN total
    ORDER BY abs(change) DESC, product_token;
