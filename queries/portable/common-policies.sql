-- Which 20 policies of each crawl have the most hosts? n: hosts with rules. Like common-policies.
SELECT crawl, common.policy_id, hosts, n, hosts * 1e2 / n AS pct, n_agents, n_rules
FROM (
    SELECT crawl, policy_id, COUNT(*) AS hosts, SUM(COUNT(*)) OVER (PARTITION BY crawl) AS n,
        ROW_NUMBER() OVER (PARTITION BY crawl ORDER BY COUNT(*) DESC, policy_id) AS position
    FROM hosts
    WHERE has_rules
    GROUP BY crawl, policy_id
) AS common
JOIN policies ON policies.policy_id = common.policy_id
WHERE position <= 20
ORDER BY crawl, hosts DESC, common.policy_id
