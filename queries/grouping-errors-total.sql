-- How much does a corpus lose, all agents together, when groups are formed as published scripts do?
--
-- Topic: How others count.
-- Reproduces: the count of (agent, file) pairs with rules under the grouping of RFC 9309, HTTP Archive,
--   Common Crawl and the Data Provenance Initiative. See grouping-errors.sql for what each does.
-- Denominator: pairs (n) of a distinct file and a product token to which it gives rules by RFC 9309, over
--   all crawls, and of a host (once per crawl) and such a token. lost: the script sees no rule;
--   partly lost: fewer; other_class: the study's own class changes (HTTP Archive has none).
-- Unit: pairs of a file, and of a host, with an agent: what a script loses of a corpus. By host, domain and
--   weight, agent by agent: grouping-errors.
-- Intervals: none; scripts are compared over the same files.
-- Parameters: none.
CREATE OR REPLACE MACRO grouping_errors_total() AS TABLE
    WITH file_hosts AS (
        SELECT file_id, policy_id, count(*) AS hosts
        FROM hosts
        WHERE policy_id IS NOT NULL
        GROUP BY ALL
    ),
    pairs AS (
        SELECT
            file_hosts.file_id,
            hosts,
            agents.n_rules,
            coalesce(n_rules_cc, agents.n_rules) AS n_rules_cc,
            coalesce(n_rules_dpi, agents.n_rules) AS n_rules_dpi,
            coalesce(n_rules_ha, agents.n_rules) AS n_rules_ha,
            differing.file_id IS NOT NULL AND restriction_cc_script IS DISTINCT FROM restriction_cc AS other_cc,
            differing.file_id IS NOT NULL AND restriction_dpi_script <> restriction_dpi AS other_dpi
        FROM file_hosts
        JOIN agents USING (policy_id)
        LEFT JOIN agent_grouping_errors AS differing
            ON differing.file_id = file_hosts.file_id AND differing.product_token = agents.product_token
        WHERE agents.n_rules > 0
    ),
    by_script AS (
        SELECT 1 AS position, 'RFC 9309' AS grouping_of, file_id, hosts, n_rules, n_rules AS kept, NULL AS other_class FROM pairs
        UNION ALL
        SELECT 2, 'HTTP Archive', file_id, hosts, n_rules, n_rules_ha, NULL FROM pairs
        UNION ALL
        SELECT 3, 'Common Crawl', file_id, hosts, n_rules, n_rules_cc, other_cc FROM pairs
        UNION ALL
        SELECT 4, 'Data Provenance Initiative', file_id, hosts, n_rules, n_rules_dpi, other_dpi FROM pairs
    )
    SELECT
        grouping_of,
        count(*) FILTER (kept > 0) AS file_agent_pairs,
        count(*) FILTER (kept = 0) AS pairs_lost,
        pct(count(*) FILTER (kept = 0), count(*)) AS pct_pairs_lost,
        count(*) FILTER (kept BETWEEN 1 AND n_rules - 1) AS pairs_partly_lost,
        if(count(other_class) = 0, NULL, count(*) FILTER (other_class)) AS pairs_of_other_class,
        pct(count(*) FILTER (other_class), count(other_class)) AS pct_pairs_of_other_class,
        count(DISTINCT file_id) FILTER (kept < n_rules) AS files,
        coalesce(sum(hosts) FILTER (kept > 0), 0)::BIGINT AS host_agent_pairs,
        pct(coalesce(sum(hosts) FILTER (kept = 0), 0), sum(hosts)) AS pct_host_pairs_lost,
        count(*) AS n,
        'pairs with rules' AS population,
        'pair' AS unit
    FROM by_script
    GROUP BY grouping_of, position
    ORDER BY position;
