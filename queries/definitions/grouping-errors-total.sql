-- How much does a corpus lose, all agents together, when groups are formed as published scripts do?
-- Keywords: parser bugs, methods, blank lines, undercount, replication.
-- Reproduces: the count of (agent, file) pairs with rules under the grouping of RFC 9309, HTTP Archive, Common Crawl
--   and the Data Provenance Initiative; grouping-errors describes each.
-- Denominator: hosts with rules (n); hosts: the script sees no rule of some crawler that has rules by RFC 9309. A
--   pair is a distinct file and such a crawler, or in host_agent_pairs a host and such a crawler. lost: the script
--   sees none of the rules; partly_lost: some; of_other_class: the study's own class changes (HTTP Archive has no
--   classes). file_agent_pairs and host_agent_pairs are not lost; files: with a pair lost or partly lost.
CREATE OR REPLACE MACRO grouping_errors_total(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    file_hosts AS MATERIALIZED (SELECT file_id, policy_id, count(*) AS hosts FROM population GROUP BY ALL),
    totals AS (
        SELECT count(*) AS n_pairs, sum(hosts)::BIGINT AS n_host_pairs
        FROM file_hosts
        JOIN agents USING (policy_id)
        WHERE n_rules > 0
    ),
    -- Pairs that some script reads otherwise than RFC 9309.
    pairs AS (
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
    scripts(position, part, has_classes) AS (
        VALUES
            (1, 'RFC 9309', false), (2, 'HTTP Archive', false),
            (3, 'Common Crawl', true), (4, 'Data Provenance Initiative', true)
    ),
    readings AS MATERIALIZED (
        SELECT
            part, file_id, hosts, n_rules,
            CASE position WHEN 2 THEN n_rules_ha WHEN 3 THEN n_rules_cc ELSE n_rules_dpi END AS kept,
            CASE position WHEN 2 THEN false WHEN 3 THEN other_cc ELSE other_dpi END AS is_other
        FROM pairs
        JOIN scripts ON position > 1
    ),
    lost AS (
        SELECT
            part,
            count(*) FILTER (kept = 0) AS pairs,
            count(*) FILTER (kept BETWEEN 1 AND n_rules - 1) AS pairs_partly,
            count(*) FILTER (is_other) AS pairs_of_other_class,
            count(DISTINCT file_id) FILTER (kept < n_rules) AS files,
            coalesce(sum(hosts) FILTER (kept = 0), 0)::BIGINT AS host_pairs
        FROM readings
        GROUP BY part
    ),
    losing AS (SELECT DISTINCT part, file_id FROM readings WHERE kept = 0)
    SELECT
        part AS grouping_of, shares.hosts, share AS pct_of_hosts_with_rules, low AS pct_low, high AS pct_high,
        n_pairs - coalesce(pairs, 0) AS file_agent_pairs,
        coalesce(pairs, 0) AS pairs_lost,
        pct(coalesce(pairs, 0), n_pairs) AS pct_pairs_lost,
        coalesce(pairs_partly, 0) AS pairs_partly_lost,
        if(has_classes, coalesce(pairs_of_other_class, 0), NULL) AS pairs_of_other_class,
        if(has_classes, pct(coalesce(pairs_of_other_class, 0), n_pairs), NULL) AS pct_pairs_of_other_class,
        coalesce(files, 0) AS files,
        n_host_pairs - coalesce(host_pairs, 0) AS host_agent_pairs,
        pct(coalesce(host_pairs, 0), n_host_pairs) AS pct_host_pairs_lost,
        n, population, unit, shares.crawl, note
    FROM joined_shares('losing', 'population', 'scripts') AS shares
    JOIN scripts USING (part)
    CROSS JOIN totals
    LEFT JOIN lost USING (part)
    ORDER BY position;
