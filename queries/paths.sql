-- Which paths do hosts close, and which do they open, most often?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: directories that robots.txt files exclude of Sun et al., WWW 2007, and of thunderbit's study.
-- Denominator: hosts, each once per crawl, with a file that has rules; a host counts once for each rule
--   type and path, whoever the rule is for. for_everybody: in a group for `*`.
-- Intervals: none; paths are ranked, thousands of them. One's: `shares_of` over `rules`, see docs/queries.md.
-- Parameters: crawl (the last one in time), top (50), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO paths(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 50
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    coded AS MATERIALIZED (
        SELECT policy_id, hash(rule_type, path) AS code FROM rules SEMI JOIN crawled USING (policy_id)
    ),
    -- Paths in as many heaps as there is room for, every rule counted, also where a policy repeats it: no path
    -- can have more hosts than its heap.
    heaps AS MATERIALIZED (
        SELECT code % 65536 AS heap, sum(hosts) AS hosts FROM coded JOIN crawled USING (policy_id) GROUP BY heap
    ),
    first AS (
        SELECT heap FROM heaps ORDER BY hosts DESC LIMIT 2 * top
    ),
    -- As many hosts as this are needed to be among the top ones.
    needed AS MATERIALIZED (
        SELECT coalesce(min(hosts), 0) AS hosts
        FROM (
            SELECT sum(hosts) AS hosts
            FROM (SELECT DISTINCT policy_id, code FROM coded WHERE code % 65536 IN (FROM first))
            JOIN crawled USING (policy_id)
            GROUP BY code
            ORDER BY hosts DESC
            LIMIT top
        )
    ),
    -- Two paths may have one code: then either is looked at.
    candidates AS (
        SELECT code
        FROM (
            SELECT DISTINCT policy_id, code FROM coded
            WHERE code % 65536 IN (SELECT heap FROM heaps WHERE hosts >= (SELECT hosts FROM needed))
        )
        JOIN crawled USING (policy_id)
        GROUP BY code
        HAVING sum(hosts) >= (SELECT hosts FROM needed)
    ),
    for_everybody AS (
        SELECT policy_id, group_index FROM groups WHERE list_contains(product_tokens, '*')
    ),
    said AS (
        SELECT policy_id, rule_type, path, bool_or(for_everybody.policy_id IS NOT NULL) AS for_everybody
        FROM (
            SELECT policy_id, group_index, rule_type, path FROM rules
            SEMI JOIN crawled USING (policy_id)
            WHERE hash(rule_type, path) IN (FROM candidates)
        )
        LEFT JOIN for_everybody USING (policy_id, group_index)
        GROUP BY ALL
    )
    SELECT
        rule_type,
        left(path, 80) AS path,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM crawled)) AS pct_of_hosts_with_rules,
        coalesce(sum(hosts) FILTER (for_everybody), 0)::BIGINT AS hosts_for_everybody,
        count(*) AS policies,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl
    FROM said
    JOIN crawled USING (policy_id)
    GROUP BY rule_type, said.path
    ORDER BY hosts DESC, rule_type, said.path
    LIMIT top;
