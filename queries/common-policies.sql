-- Which policies do most hosts share, and what do they say?
--
-- Topic: Size and structure.
-- Reproduces: the peaks of the length histogram in Dinzinger's survey, which are templates of content
--   management systems, by rules and not by length.
-- Denominator: hosts, each once per crawl, with a file that has rules (n). Intervals are those of 95%,
--   with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (20).
CREATE OR REPLACE MACRO common_policies(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 20
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT policy_id, cluster, hosts, weight, squares
        FROM hosts_by('with_rules', crawl, "by", weights)
    ),
    most AS MATERIALIZED (
        SELECT policy_id, count(*) AS hosts
        FROM crawled
        GROUP BY policy_id
        ORDER BY hosts DESC, policy_id
        LIMIT top
    ),
    shared AS MATERIALIZED (
        SELECT
            policy_id,
            any_value(most.hosts) AS hosts,
            count(DISTINCT file_id) AS files,
            count(DISTINCT domain) AS domains,
            min(url_host_name) AS a_host
        FROM hosts_in('with_rules', crawl)
        JOIN most USING (policy_id)
        GROUP BY policy_id
    ),
    first_rules AS (
        SELECT
            policy_id,
            string_agg(rule_type || ': ' || coalesce(path_raw, path), ', ' ORDER BY rule_index) AS rules
        FROM rules
        SEMI JOIN shared USING (policy_id)
        WHERE rule_index < 4
        GROUP BY policy_id
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, policy_id AS part, cluster, hosts, weight, squares FROM crawled SEMI JOIN shared USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM crawled'
        )
    )
    SELECT
        shared.policy_id,
        hosts,
        share AS pct_of_hosts_with_rules,
        low AS pct_low,
        high AS pct_high,
        domains,
        files,
        policies.n_agents,
        policies.n_rules,
        coalesce(restriction, 'not named') AS wildcard,
        left(first_rules.rules, 70) AS first_rules,
        a_host,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shared
    JOIN shares ON part = shared.policy_id
    JOIN policies USING (policy_id)
    JOIN first_rules USING (policy_id)
    LEFT JOIN agents ON agents.policy_id = shared.policy_id AND product_token = '*'
    ORDER BY hosts DESC, shared.policy_id;
