-- Which paths do hosts close, and which do they open, most often?
-- Keywords: admin, wp-admin, directories, folders, private, closed, most disallowed.
-- Reproduces: directories that robots.txt files exclude (Sun et al., WWW 2007; thunderbit's study).
-- Denominator: hosts with rules (n); a host counts once for each rule type and path. hosts_for_everybody: hosts with
--   the rule in a group for `*`.
CREATE OR REPLACE MACRO paths(crawl := NULL, "by" := 'host', weights := NULL, top := 50) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT stratum, cluster, weight, policy_id, hosts.crawl, population, unit
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
    ),
    policies_counted AS MATERIALIZED (SELECT policy_id, count(*) AS hosts FROM population GROUP BY policy_id),
    paths_of_policies AS MATERIALIZED (
        SELECT policy_id, rule_type, path, bool_or(list_contains(product_tokens, '*')) AS hosts_for_everybody
        FROM rules
        JOIN groups USING (policy_id, group_index)
        SEMI JOIN policies_counted USING (policy_id)
        GROUP BY ALL
    ),
    most AS (
        SELECT rule_type, path, {'rule_type': rule_type, 'path': path} AS part
        FROM paths_of_policies JOIN policies_counted USING (policy_id)
        GROUP BY rule_type, path
        ORDER BY sum(hosts) DESC, part
        LIMIT top
    ),
    stating AS (FROM paths_of_policies JOIN most USING (rule_type, path))
    SELECT
        part.rule_type AS rule_type, left(part.path, 80) AS path, hosts, share AS pct_of_hosts_with_rules,
        pct_low, pct_high, hosts_for_everybody, policy_id AS policies, n, population, unit, shares.crawl, note
    FROM joined_shares('stating', 'population', sums := ['hosts_for_everybody'], distinct_of := ['policy_id']) AS shares
    ORDER BY hosts DESC, part;
