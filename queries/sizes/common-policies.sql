-- Which policies have the most hosts, and what do they say?
-- Keywords: most copied, copied, copies, duplicates, identical rules, templates, boilerplate.
-- Reproduces: the templates that cause the peaks in Dinzinger's histogram of lengths, found by their rules.
-- Denominator: hosts with rules (n).
CREATE OR REPLACE MACRO common_policies(crawl := NULL, "by" := 'host', weights := NULL, top := 20) AS TABLE
    WITH population AS MATERIALIZED (SELECT *, policy_id AS part FROM hosts_by('with_rules', crawl, "by", weights)),
    most AS MATERIALIZED (SELECT part FROM population GROUP BY part ORDER BY count(*) DESC, part LIMIT top),
    beginnings AS (
        SELECT
            policy_id AS part,
            string_agg(rule_type || ': ' || coalesce(path_raw, path), ', ' ORDER BY rule_index) AS first_rules
        FROM rules
        WHERE rule_index < 4 AND policy_id IN (SELECT part FROM most)
        GROUP BY policy_id
    )
    SELECT
        policies.policy_id, hosts, share AS pct_of_hosts_with_rules, pct_low, pct_high,
        domain AS domains, file_id AS files,
        policies.n_agents, policies.n_rules, coalesce(restriction, 'not named') AS wildcard,
        left(first_rules, 70) || if(length(first_rules) > 70, '…', '') AS first_rules, url_host_name AS a_host, n, population, unit, shares.crawl, note
    FROM joined_shares(
        'most', 'population', distinct_of := ['domain', 'file_id'], least_of := ['url_host_name']
    ) AS shares
    JOIN beginnings USING (part)
    JOIN policies ON policies.policy_id = part
    LEFT JOIN agents ON agents.policy_id = part AND product_token = '*'
    ORDER BY hosts DESC, part;
