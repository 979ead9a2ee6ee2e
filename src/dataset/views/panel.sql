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
    SELECT policy_id, product_token FROM effective_agents_of(tokens) WHERE restriction = 'full';

-- The hosts that two crawls have in common, and who of them blocks some product tokens before and now: the
-- answer of agent-panel. The crawls are names of CTEs: hosts_before has url_host_name and policy_id, hosts_now
-- is as hosts_by gives it; blocks_before and blocks_now are as blocking_policies gives them. Without a panel,
-- shares and changes are null, and the note has the reason.
CREATE OR REPLACE MACRO panel_of(
    tokens, hosts_before, hosts_now, blocks_before, blocks_now, label_before, label_now, unit
) AS TABLE
    WITH panel AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            cluster,
            domain_number,
            -- By domain, every domain of the panel weighs 1, however many other hosts it has.
            if(
                unit = 'domain' AND domain_number IS NOT NULL,
                1.0 / count(*) OVER (PARTITION BY crawl, domain_number),
                weight
            ) AS weight,
            earlier.policy_id AS policy_id_before,
            later.policy_id
        FROM query_table(hosts_now) AS later
        JOIN query_table(hosts_before) AS earlier USING (url_host_name)
    ),
    -- Hosts that block somebody before, and those that do so only now.
    judged AS MATERIALIZED (
        SELECT panel.*, earlier.product_token, true AS was_full, later.policy_id IS NOT NULL AS is_full
        FROM panel
        JOIN query_table(blocks_before) AS earlier ON earlier.policy_id = policy_id_before
        LEFT JOIN query_table(blocks_now) AS later
            ON later.policy_id = panel.policy_id AND later.product_token = earlier.product_token
        UNION ALL
        SELECT panel.*, later.product_token, false, true
        FROM panel
        JOIN query_table(blocks_now) AS later ON later.policy_id = panel.policy_id
        ANTI JOIN query_table(blocks_before) AS earlier
            ON earlier.policy_id = policy_id_before AND earlier.product_token = later.product_token
    ),
    events AS (
        SELECT *, {'token': product_token, 'event': unnest([
            if(was_full, 'before', NULL),
            if(is_full, 'now', NULL),
            if(is_full AND NOT was_full, 'added', NULL),
            if(was_full AND NOT is_full, 'gone', NULL),
            if(was_full AND NOT is_full AND policy_id IS NULL, 'file gone', NULL)
        ])} AS part
        FROM judged
    ),
    counted AS (FROM events WHERE part.event IS NOT NULL),
    all_events AS (
        SELECT {'token': token, 'event': unnest(['before', 'now', 'added', 'gone', 'file gone'])} AS part
        FROM (SELECT unnest(tokens) AS token)
    ),
    of_tokens AS (
        SELECT
            part.token AS product_token,
            any_value(hosts) FILTER (part.event = 'before') AS hosts_full_before,
            any_value(hosts) FILTER (part.event = 'now') AS hosts_full,
            any_value(hosts) FILTER (part.event = 'added') AS hosts_added,
            any_value(hosts) FILTER (part.event = 'gone') AS hosts_gone,
            any_value(hosts) FILTER (part.event = 'file gone') AS hosts_file_gone,
            any_value(share) FILTER (part.event = 'before') AS pct_full_before,
            any_value(share) FILTER (part.event = 'now') AS pct_full,
            pct(
                any_value(weight) FILTER (part.event = 'added') - any_value(weight) FILTER (part.event = 'gone'),
                any_value(total_weight)
            ) AS change,
            change_interval(
                any_value(exact) FILTER (part.event = 'added'), any_value(exact) FILTER (part.event = 'gone')
            ) AS exact,
            any_value(note) FILTER (part.event = 'added') AS no_interval
        FROM shares('counted', 'panel', 'all_events') AS shares
        GROUP BY product_token
    ),
    totals AS (
        SELECT
            count(*) AS n,
            count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL) AS n_domains,
            (SELECT count(*) FROM query_table(hosts_before)) AS n_before,
            (SELECT count(*) FROM query_table(hosts_now)) AS n_now
        FROM panel
    )
    SELECT
        product_token,
        label_before AS crawl_before,
        label_now AS crawl,
        n,
        n_domains,
        hosts_full_before,
        hosts_full,
        if(no_panel IS NULL, pct_full_before, NULL) AS pct_full_before,
        if(no_panel IS NULL, pct_full, NULL) AS pct_full,
        if(no_panel IS NULL, change, NULL) AS change,
        if(no_panel IS NULL, pct_of(100 * exact.low), NULL) AS change_low,
        if(no_panel IS NULL, pct_of(100 * exact.high), NULL) AS change_high,
        hosts_added,
        hosts_gone - hosts_file_gone AS hosts_rule_gone,
        hosts_file_gone,
        if(label_before IS NULL, NULL, n_before - n) AS hosts_silent,
        'panel' AS population,
        unit AS unit,
        CASE
            WHEN label_before IS NULL THEN 'no claim about a change: the crawl is the first one'
            ELSE coalesce(no_panel, no_interval)
        END AS note
    FROM (SELECT unnest(tokens) AS product_token) AS chosen
    LEFT JOIN of_tokens USING (product_token)
    CROSS JOIN (SELECT *, no_panel_note(n, n_before, n_now) AS no_panel FROM totals);
