-- How many policies mean the same?
-- Keywords: equivalent, same rules written differently, distinct policies, synonyms.
-- Denominator: policies of hosts with rules (n). Policies with one meaning allow every crawler the
--   same paths under RFC 9309 (policies.meaning_id). A row for each number of policies that share a
--   meaning; null: the meaning was not found within the work limits.
-- Unit: policies. Intervals: none; a policy is counted once, however many hosts have it.
CREATE OR REPLACE MACRO meanings(crawl := NULL) AS TABLE
    SELECT
        if(meaning_id IS NULL, NULL, policies) AS policies_per_meaning,
        count(meaning_id) AS meanings,
        sum(policies)::BIGINT AS policies,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(policies), sum(sum(policies)) OVER ()) AS pct_of_policies,
        sum(sum(policies)) OVER ()::BIGINT AS n, 'policies of hosts with_rules' AS population, 'policy' AS unit,
        known_crawl(crawl) AS crawl
    FROM (
        SELECT meaning_id, count(DISTINCT policy_id) AS policies, count(*) AS hosts
        FROM hosts_in('with_rules', crawl) JOIN policies USING (policy_id)
        GROUP BY meaning_id
    )
    GROUP BY ALL
    ORDER BY policies_per_meaning NULLS LAST;
