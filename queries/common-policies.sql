-- Which policies do most hosts share, and what do they say?
--
-- Topic: Size and structure.
-- Reproduces: the peaks of the length histogram in Dinzinger's survey, which are templates of content
--   management systems, by rules and not by length.
-- Denominator: hosts, each once per crawl, with a file that has rules.
-- Parameters: crawl (the last one, by label), top (20).
CREATE OR REPLACE MACRO common_policies(crawl VARCHAR := NULL, top INTEGER := 20) AS TABLE
    WITH shared AS (
        SELECT
            hosts.policy_id,
            count(*) AS hosts,
            count(DISTINCT file_id) AS files,
            sum(count(*)) OVER () AS all_hosts,
            min(url_host_name) AS a_host
        FROM hosts_in('with_rules', crawl) AS hosts
        GROUP BY hosts.policy_id
        ORDER BY hosts DESC, hosts.policy_id
        LIMIT top
    ),
    first_rules AS (
        SELECT
            policy_id,
            string_agg(rule_type || ': ' || coalesce(path_raw, path), ', ' ORDER BY rule_index) AS rules
        FROM rules
        SEMI JOIN shared USING (policy_id)
        WHERE rule_index < 4
        GROUP BY policy_id
    )
    SELECT
        shared.policy_id,
        hosts,
        round(100.0 * hosts / all_hosts, 2) AS pct_of_hosts_with_rules,
        files,
        policies.n_agents,
        policies.n_rules,
        coalesce(restriction, 'not named') AS wildcard,
        left(first_rules.rules, 70) AS first_rules,
        a_host,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population
    FROM shared
    JOIN policies USING (policy_id)
    JOIN first_rules USING (policy_id)
    LEFT JOIN agents ON agents.policy_id = shared.policy_id AND product_token = '*'
    ORDER BY hosts DESC, shared.policy_id;
