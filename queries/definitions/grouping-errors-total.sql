-- How much does a corpus lose, all agents together, when groups are formed as published scripts do?
--
-- Topic: How others count.
-- Keywords: parser bugs, methods, blank lines, undercount, replication.
-- Reproduces: the count of (agent, file) pairs with rules under the grouping of RFC 9309, HTTP
--   Archive, Common Crawl and the Data Provenance Initiative. See grouping-errors.sql for what each
--   does.
-- Denominator: pairs (n) of a distinct file and a product token to which it gives rules by RFC
--   9309, over all crawls, and of a host (once per crawl) and such a token. lost: the script sees
--   no rule; partly lost: fewer; other_class: the study's own class changes (HTTP Archive has no
--   classes).
-- Unit: pairs of a file, and of a host, with an agent: what a script loses of a corpus. By host,
--   domain and weight, agent by agent: grouping-errors.
-- Intervals: none; scripts are compared over the same files.
-- Parameters: none.
CREATE OR REPLACE MACRO grouping_errors_total() AS TABLE
    WITH file_hosts AS MATERIALIZED (
        SELECT file_id, policy_id, count(*) AS hosts
        FROM hosts
        WHERE policy_id IS NOT NULL
        GROUP BY ALL
    ),
    every AS (
        SELECT sum(files)::BIGINT AS n, sum(hosts)::BIGINT AS n_hosts
        FROM (SELECT policy_id, count(*) AS files, sum(hosts) AS hosts FROM file_hosts GROUP BY policy_id)
        JOIN agents USING (policy_id)
        WHERE n_rules > 0
    ),
    -- Of all other pairs every script reads what RFC 9309 says.
    pairs AS MATERIALIZED (
        SELECT
            differing.* EXCLUDE (n_rules),
            agents.n_rules,
            hosts,
            restriction_cc_script IS DISTINCT FROM restriction_cc AS other_cc,
            restriction_dpi_script <> restriction_dpi AS other_dpi
        FROM agent_grouping_errors AS differing
        JOIN file_hosts USING (file_id)
        JOIN agents ON agents.policy_id = differing.policy_id AND agents.product_token = differing.product_token
        WHERE agents.n_rules > 0
    ),
    read AS (
        SELECT 'HTTP Archive' AS grouping_of, file_id, hosts, n_rules, n_rules_ha AS kept, false AS other_class FROM pairs
        UNION ALL
        SELECT 'Common Crawl', file_id, hosts, n_rules, n_rules_cc, other_cc FROM pairs
        UNION ALL
        SELECT 'Data Provenance Initiative', file_id, hosts, n_rules, n_rules_dpi, other_dpi FROM pairs
    ),
    lost AS (
        SELECT
            grouping_of,
            count(*) FILTER (kept = 0) AS pairs_lost,
            count(*) FILTER (kept BETWEEN 1 AND n_rules - 1) AS pairs_partly_lost,
            count(*) FILTER (other_class) AS pairs_of_other_class,
            count(DISTINCT file_id) FILTER (kept < n_rules) AS files,
            coalesce(sum(hosts) FILTER (kept = 0), 0)::BIGINT AS host_pairs_lost
        FROM read
        GROUP BY grouping_of
    )
    SELECT
        grouping_of,
        n - coalesce(pairs_lost, 0) AS file_agent_pairs,
        coalesce(pairs_lost, 0) AS pairs_lost,
        pct(coalesce(pairs_lost, 0), n) AS pct_pairs_lost,
        coalesce(pairs_partly_lost, 0) AS pairs_partly_lost,
        if(has_classes, coalesce(pairs_of_other_class, 0), NULL) AS pairs_of_other_class,
        if(has_classes, pct(coalesce(pairs_of_other_class, 0), n), NULL) AS pct_pairs_of_other_class,
        coalesce(files, 0) AS files,
        n_hosts - coalesce(host_pairs_lost, 0) AS host_agent_pairs,
        pct(coalesce(host_pairs_lost, 0), n_hosts) AS pct_host_pairs_lost,
        n,
        'pairs with rules' AS population,
        'pair' AS unit,
        all_crawls() AS all_crawls
    FROM (VALUES
        (1, 'RFC 9309', false),
        (2, 'HTTP Archive', false),
        (3, 'Common Crawl', true),
        (4, 'Data Provenance Initiative', true)
    ) AS scripts(position, grouping_of, has_classes)
    CROSS JOIN every
    LEFT JOIN lost USING (grouping_of)
    WHERE n > 0
    ORDER BY position;
