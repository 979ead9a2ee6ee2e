-- ---- Changes over the same hosts ----

-- Why a panel of n hosts says nothing about a change between crawls in which so many hosts answered
-- conclusively; null where it does. The floor is 30 hosts, below which an interval of a share means little,
-- and a tenth of the smaller crawl: the hosts that two almost disjoint crawls happen to share
-- represent neither.
CREATE OR REPLACE MACRO no_panel_note(n, hosts_before, hosts_now) AS
    CASE
        WHEN coalesce(n, 0) = 0 THEN 'no claim about a change: no host answered conclusively in both crawls'
        WHEN n < 30 THEN
            'no claim about a change: only ' || n || ' hosts answered conclusively in both crawls, fewer than 30'
        WHEN n < 0.1 * least(hosts_before, hosts_now) THEN
            'no claim about a change: only ' || n
                || ' hosts answered conclusively in both crawls, less than 10% of the smaller crawl'
    END;

-- The policies that fully block each of some product tokens.
CREATE OR REPLACE MACRO blocking_policies(tokens) AS TABLE
    WITH named AS MATERIALIZED (FROM named_agents_of(tokens))
    SELECT policy_id, product_token FROM named WHERE restriction = 'full'
    UNION ALL
    SELECT everybody.policy_id, asked.product_token
    FROM (SELECT policy_id FROM agents WHERE product_token = '*' AND restriction = 'full') AS everybody
    CROSS JOIN asked_agents(tokens) AS asked
    ANTI JOIN named ON named.policy_id = everybody.policy_id AND named.product_token = asked.product_token
    WHERE obeys_wildcard;

-- The hosts of two crawls that are in both, and who of them blocks some product tokens before and now: the
-- answer of agent-panel. The crawls are statements: rows_before has url_host_name and policy_id, rows_now
-- also domain_number, cluster and weight; blocks_before and blocks_now are as blocking_policies has them.
-- Without a panel, shares and changes are null, and the note has the reason.
CREATE OR REPLACE MACRO panel_of(
    tokens, rows_before, rows_now, blocks_before, blocks_now, label_before, label_now, unit
) AS TABLE
    WITH paired AS (
        SELECT now.domain_number, cluster, earlier.policy_id AS policy_id_before, now.policy_id, weight
        FROM query(rows_now) AS now
        JOIN query(rows_before) AS earlier USING (url_host_name)
    ),
    -- By domain, every domain of the panel weighs 1, however many other hosts it has.
    kept AS MATERIALIZED (
        FROM query(if(
            unit = 'domain',
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
            coalesce(sum(hosts), 0)::BIGINT AS n,
            (
                SELECT count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL) FROM kept
            ) AS n_domains,
            min(drawn_part(cluster)) AS drawn,
            sum(weight) AS w,
            sum(cluster_product(cluster, squares, weight, weight)) AS ww,
            (SELECT count(*) FROM query(rows_before)) AS hosts_before,
            (SELECT count(*) FROM query(rows_now)) AS hosts_now
        FROM clusters
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
        JOIN query(blocks_before) AS earlier ON earlier.policy_id = policy_id_before
        LEFT JOIN query(blocks_now) AS later
            ON later.policy_id = panel.policy_id AND later.product_token = earlier.product_token
        UNION ALL
        SELECT later.product_token, cluster, hosts, weight, squares, panel.policy_id, false, true
        FROM panel
        JOIN query(blocks_now) AS later ON later.policy_id = panel.policy_id
        ANTI JOIN query(blocks_before) AS earlier
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
            coalesce(sum(weight) FILTER (is_full AND NOT was_full), 0) AS added,
            coalesce(sum(squares) FILTER (is_full AND NOT was_full), 0) AS squares_added,
            coalesce(sum(weight) FILTER (was_full AND NOT is_full), 0) AS gone,
            coalesce(sum(squares) FILTER (was_full AND NOT is_full), 0) AS squares_gone
        FROM judged
        GROUP BY ALL
    ),
    summed AS (
        SELECT
            product_token,
            sum(by_cluster.hosts_before) AS blocked_before,
            sum(hosts_after) AS hosts_after,
            sum(hosts_added) AS hosts_added,
            sum(hosts_rule_gone) AS hosts_rule_gone,
            sum(hosts_file_gone) AS hosts_file_gone,
            sum(was) AS was,
            sum(is_now) AS is_now,
            sum(added) AS added,
            sum(cluster_product(by_cluster.cluster, squares_added, added, added)) AS added_yy,
            sum(cluster_product(by_cluster.cluster, squares_added, added, weight)) AS added_yw,
            sum(gone) AS gone,
            sum(cluster_product(by_cluster.cluster, squares_gone, gone, gone)) AS gone_yy,
            sum(cluster_product(by_cluster.cluster, squares_gone, gone, weight)) AS gone_yw
        FROM by_cluster
        JOIN clusters ON clusters.cluster IS NOT DISTINCT FROM by_cluster.cluster
        GROUP BY product_token
    ),
    told AS (
        SELECT *, no_panel_note(n, hosts_before, hosts_now) AS no_panel FROM total
    )
    SELECT
        product_token,
        label_before AS crawl_before,
        label_now AS crawl,
        n,
        n_domains,
        if(n > 0, coalesce(blocked_before, 0), NULL)::BIGINT AS hosts_full_before,
        if(n > 0, coalesce(hosts_after, 0), NULL)::BIGINT AS hosts_full,
        if(no_panel IS NULL, pct(coalesce(was, 0), w), NULL) AS pct_full_before,
        if(no_panel IS NULL, pct(coalesce(is_now, 0), w), NULL) AS pct_full,
        if(no_panel IS NULL, pct(coalesce(added - gone, 0), w), NULL) AS change,
        if(no_panel IS NULL, pct_of(100 * found.low), NULL) AS change_low,
        if(no_panel IS NULL, pct_of(100 * found.high), NULL) AS change_high,
        if(n > 0, coalesce(hosts_added, 0), NULL)::BIGINT AS hosts_added,
        if(n > 0, coalesce(hosts_rule_gone, 0), NULL)::BIGINT AS hosts_rule_gone,
        if(n > 0, coalesce(hosts_file_gone, 0), NULL)::BIGINT AS hosts_file_gone,
        if(label_before IS NULL, NULL, hosts_before - n) AS hosts_silent,
        'panel' AS population,
        unit AS unit,
        CASE
            WHEN label_before IS NULL THEN 'no claim about a change: the crawl is the first one'
            ELSE coalesce(no_panel, interval_note(found, drawn))
        END AS note
    FROM (
        SELECT
            *,
            change_interval(
                share_interval(added, added_yy, added_yw, w, ww, drawn),
                share_interval(gone, gone_yy, gone_yw, w, ww, drawn)
            ) AS found
        FROM (SELECT unnest(tokens) AS product_token) AS chosen
        LEFT JOIN summed USING (product_token)
        CROSS JOIN told
    );
