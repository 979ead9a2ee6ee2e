-- What may crawlers that no group names fetch? restriction is null without a group for everybody
-- (*). n: hosts with rules. Like agent-definitions-by-name with agents=*.
SELECT crawl, restriction, COUNT(*) AS hosts, n, COUNT(*) * 1e2 / n AS pct
FROM hosts
LEFT JOIN (SELECT policy_id, restriction FROM agents WHERE product_token = '*') AS everybody
    ON everybody.policy_id = hosts.policy_id
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE has_rules GROUP BY crawl) AS population USING (crawl)
WHERE has_rules
GROUP BY crawl, restriction, n
ORDER BY crawl, hosts DESC, restriction
