-- How much does a corpus lose, all agents together, when groups are formed as published scripts do?
--
-- Keywords: parser bugs, methods, blank lines, undercount, replication.
-- Reproduces: the count of (agent, file) pairs with rules under the grouping of RFC 9309, HTTP
--   Archive, Common Crawl and the Data Provenance Initiative; grouping-errors describes each.
-- Denominator: pairs (n) of a distinct file and a crawler to which it gives rules by RFC 9309, over
--   all crawls, and of a host (once per crawl) and such a crawler. lost: the script sees no rule;
--   partly lost: fewer; other_class: the study's own class changes (HTTP Archive has no classes).
-- Unit: pairs of a file, and of a host, with an agent; by host, domain and weight, agent by agent:
--   grouping-errors.
-- Intervals: none; scripts are compared over the same files.
CREATE OR REPLACE MACRO grouping_errors_total() AS TABLE
    WITH file_hosts AS MATERIALIZED (
        SELECT file_id, policy_id, count(*) AS hosts FROM hosts WHERE policy_id IS NOT NULL GROUP BY ALL
    ),
    totals AS (
        SELECT count(*) AS n, sum(hosts)::BIGINT AS n_hosts
        FROM file_hosts
        JOIN agents USING (policy_id)
        WHERE n_rules > 0
    ),
    -- Pairs that some script reads otherwise than RFC 9309.
    pairs AS MATERIALIZED (
        SELECT
            differing.* EXCLUDE (n_rules),
            agents.n_rules, hosts,
            restriction_cc_script IS DISTINCT FROM restriction_cc AS other_cc,
            restriction_dpi_script <> restriction_dpi AS other_dpi
        FROM agent_grouping_errors AS differing
        JOIN file_hosts USING (file_id)
        JOIN agents ON agents.policy_id = differing.policy_id AND agents.product_token = differing.product_token
        WHERE agents.n_rules > 0
    ),
    readings AS (
        SELECT 'HTTP Archive' AS grouping_of, *, n_rules_ha AS kept, false AS is_other FROM pairs
        UNION ALL
        SELECT 'Common Crawl', *, n_rules_cc, other_cc FROM pairs
        UNION ALL
        SELECT 'Data Provenance Initiative', *, n_rules_dpi, other_dpi FROM pairs
    ),
    lost AS (
        SELECT
            grouping_of,
            count(*) FILTER (kept = 0) AS pairs,
            count(*) FILTER (kept BETWEEN 1 AND n_rules - 1) AS pairs_partly,
            count(*) FILTER (is_other) AS pairs_of_other_class,
            count(DISTINCT file_id) FILTER (kept < n_rules) AS files,
            coalesce(sum(hosts) FILTER (kept = 0), 0)::BIGINT AS host_pairs
        FROM readings
        GROUP BY grouping_of
    ),
    scripts(position, grouping_of, has_classes) AS (
        VALUES
            (1, 'RFC 9309', false), (2, 'HTTP Archive', false),
            (3, 'Common Crawl', true), (4, 'Data Provenance Initiative', true)
    )
    SELECT
        grouping_of,
        n - coalesce(pairs, 0) AS file_agent_pairs,
        coalesce(pairs, 0) AS pairs_lost,
        pct(coalesce(pairs, 0), n) AS pct_pairs_lost,
        coalesce(pairs_partly, 0) AS pairs_partly_lost,
        if(has_classes, coalesce(pairs_of_other_class, 0), NULL) AS pairs_of_other_class,
        if(has_classes, pct(coalesce(pairs_of_other_class, 0), n), NULL) AS pct_pairs_of_other_class,
        coalesce(files, 0) AS files,
        n_hosts - coalesce(host_pairs, 0) AS host_agent_pairs,
        pct(coalesce(host_pairs, 0), n_hosts) AS pct_host_pairs_lost,
        n, 'pairs with rules' AS population, 'pair' AS unit, all_crawls() AS all_crawls
    FROM scripts
    CROSS JOIN totals
    LEFT JOIN lost USING (grouping_of)
    WHERE n > 0
    ORDER BY position;
