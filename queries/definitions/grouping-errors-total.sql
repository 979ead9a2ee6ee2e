-- How much does a corpus lose, over all agents, when groups are formed as published scripts do?
-- Keywords: parser bugs, methods, blank lines, undercount, replication.
-- Reproduces: (agent, file) pairs with rules under RFC 9309 and by each of the scripts that grouping-errors describes.
-- Denominator: hosts with rules (n); hosts: the script sees no rule for some crawler with rules under RFC 9309. A pair
--   is a distinct file (in host_agent_pairs, a host) and such a crawler. lost: the script sees none of the rules;
--   partly_lost: only some; of_other_class: the study's own class changes (HTTP Archive has no classes).
--   file_agent_pairs, host_agent_pairs: pairs that are not lost; files: files with a pair lost or partly lost.
CREATE OR REPLACE MACRO grouping_errors_total(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    file_hosts AS MATERIALIZED (SELECT file_id, policy_id, count(*) AS hosts FROM population GROUP BY ALL),
    -- Pairs that some script reads differently from RFC 9309, as each script reads them.
    readings AS MATERIALIZED (
        SELECT file_id, hosts, agents.n_rules, unnest([
            {'part': 'HTTP Archive', 'kept': n_rules_ha, 'other': NULL},
            {'part': 'Common Crawl', 'kept': n_rules_cc,
                'other': restriction_cc_script IS DISTINCT FROM restriction_cc},
            {'part': 'Data Provenance Initiative', 'kept': n_rules_dpi,
                'other': restriction_dpi_script <> restriction_dpi}
        ], recursive := true)
        FROM agent_grouping_errors AS differing
        JOIN file_hosts USING (file_id)
        JOIN agents ON agents.policy_id = differing.policy_id AND agents.product_token = differing.product_token
        WHERE agents.n_rules > 0
    ),
    scripts(position, part) AS (
        VALUES (1, 'RFC 9309'), (2, 'HTTP Archive'), (3, 'Common Crawl'), (4, 'Data Provenance Initiative')
    ),
    lost AS (
        SELECT
            position, part,
            count(*) FILTER (kept = 0) AS pairs_lost,
            count(*) FILTER (kept BETWEEN 1 AND readings.n_rules - 1) AS pairs_partly_lost,
            if(position > 2, count(*) FILTER (other), NULL) AS pairs_of_other_class,
            count(DISTINCT file_id) FILTER (kept < readings.n_rules) AS files,
            coalesce(sum(hosts) FILTER (kept = 0), 0)::BIGINT AS host_pairs_lost
        FROM scripts LEFT JOIN readings USING (part)
        GROUP BY position, part
    ),
    losing AS (SELECT DISTINCT part, file_id FROM readings WHERE kept = 0)
    SELECT
        part AS grouping_of, shares.hosts, share AS pct_of_hosts_with_rules, pct_low, pct_high,
        n_pairs - pairs_lost AS file_agent_pairs, pairs_lost, pct(pairs_lost, n_pairs) AS pct_pairs_lost,
        pairs_partly_lost, pairs_of_other_class, pct(pairs_of_other_class, n_pairs) AS pct_pairs_of_other_class, files,
        n_host_pairs - host_pairs_lost AS host_agent_pairs, pct(host_pairs_lost, n_host_pairs) AS pct_host_pairs_lost,
        n, population, unit, shares.crawl, note
    FROM joined_shares('losing', 'population', 'scripts') AS shares
    JOIN lost USING (part)
    CROSS JOIN (
        SELECT count(*) AS n_pairs, sum(hosts)::BIGINT AS n_host_pairs
        FROM file_hosts JOIN agents USING (policy_id)
        WHERE n_rules > 0
    )
    ORDER BY position;
