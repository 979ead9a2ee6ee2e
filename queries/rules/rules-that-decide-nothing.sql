-- How many rules decide nothing?
-- Keywords: dead rules, redundant, useless, shadowed, unnecessary.
-- Denominator: rules of hosts with rules (n), except misspelt lines and lines without a colon. A rule decides nothing
--   if other rules decide every path that it matches, for every crawler (rules.is_dead). fate: decides; empty: no path;
--   unusable: a path that does not begin with `/` or `*`; repeated: the file has the rule more than once, in one group
--   or in several; covered: other rules decide, or the group names no crawler; unknown: the work limit was reached.
-- Unit: rules, each counted once per host that has it. Intervals: none; one file may have thousands of such rules.
CREATE OR REPLACE MACRO rules_that_decide_nothing(crawl := NULL) AS TABLE
    WITH crawled AS (SELECT policy_id, count(*) AS hosts FROM hosts_in('with_rules', crawl) GROUP BY policy_id),
    judged AS (
        SELECT
            policy_id, hosts,
            CASE
                WHEN is_dead IS NULL THEN 'unknown'
                WHEN NOT is_dead THEN 'decides'
                WHEN is_empty THEN 'empty'
                WHEN path[1] NOT IN ('/', '*') THEN 'unusable'
                WHEN count(*) OVER (PARTITION BY policy_id, rule_type, path) > 1 THEN 'repeated'
                ELSE 'covered'
            END AS fate
        FROM crawled JOIN rules USING (policy_id)
        WHERE NOT (is_typo OR is_missing_colon)
    )
    SELECT
        fate, count(DISTINCT policy_id) AS policies,
        sum(hosts)::BIGINT AS rules, pct(sum(hosts), sum(sum(hosts)) OVER ()) AS pct_of_rules,
        sum(sum(hosts)) OVER ()::BIGINT AS n, 'rules of hosts with_rules' AS population, 'rule' AS unit,
        known_crawl(crawl) AS crawl
    FROM judged
    GROUP BY fate
    ORDER BY rules DESC, fate;
