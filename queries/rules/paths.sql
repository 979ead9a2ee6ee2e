-- Which paths do hosts close, and which do they open, most often?
--
-- Topic: Rules, directives and mistakes.
-- Keywords: admin, wp-admin, directories, folders, private, closed, most disallowed.
-- Reproduces: directories that robots.txt files exclude of Sun et al., WWW 2007, and of
--   thunderbit's study.
-- Denominator: hosts, each once per crawl, with a file that has rules; a host counts once for each
--   rule type and path, whoever the rule is for. for_everybody: in a group for `*`.
-- Intervals: none; paths are ranked, thousands of them. One's: `shares` over `rules`, see
--   docs/queries.md.
-- Parameters: crawl, top (50), by, weights.
CREATE OR REPLACE MACRO paths(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 50
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    saying AS (
        SELECT rule_type, path, policy_id, bool_or(list_contains(product_tokens, '*')) AS for_everybody
        FROM rules
        JOIN groups USING (policy_id, group_index)
        WHERE policy_id IN (SELECT policy_id FROM population)
        GROUP BY ALL
    )
    SELECT
        rule_type,
        left(path, 80) AS path,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM population)) AS pct_of_hosts_with_rules,
        coalesce(sum(hosts) FILTER (for_everybody), 0)::BIGINT AS hosts_for_everybody,
        count(*) AS policies,
        (SELECT sum(hosts) FROM population)::BIGINT AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl
    FROM saying
    JOIN population USING (policy_id)
    GROUP BY rule_type, saying.path
    ORDER BY hosts DESC, rule_type, saying.path
    LIMIT top;
