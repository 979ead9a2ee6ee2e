-- Which paths do hosts close, and which do they open, most often?
--
-- Keywords: admin, wp-admin, directories, folders, private, closed, most disallowed.
-- Reproduces: directories that robots.txt files exclude of Sun et al., WWW 2007, and of
--   thunderbit's study.
-- Denominator: hosts with rules (n); a host counts once for each rule type and path, whoever the
--   rule is for. hosts_for_everybody: in a group for `*`.
-- Intervals: none; paths are ranked, thousands of them. One's: `shares` over `rules`, see
--   docs/queries.md.
CREATE OR REPLACE MACRO paths(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL, top INTEGER := 50
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    paths_of_policies AS (
        SELECT rule_type, rules.path, policy_id, bool_or(list_contains(product_tokens, '*')) AS for_everybody
        FROM rules
        JOIN groups USING (policy_id, group_index)
        SEMI JOIN population USING (policy_id)
        GROUP BY ALL
    )
    SELECT
        rule_type,
        left(path, 80) AS path,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM population)) AS pct_of_hosts_with_rules,
        coalesce(sum(hosts) FILTER (for_everybody), 0)::BIGINT AS hosts_for_everybody,
        count(*) AS policies,
        (SELECT sum(hosts) FROM population)::BIGINT AS n, 'with_rules' AS population, "by" AS unit,
        known_crawl(crawl) AS crawl
    FROM paths_of_policies
    JOIN population USING (policy_id)
    GROUP BY rule_type, paths_of_policies.path
    ORDER BY hosts DESC, rule_type, paths_of_policies.path
    LIMIT top;
