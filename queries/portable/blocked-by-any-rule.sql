-- Which crawlers may fetch no path, by their own group or else by the group for everybody (*)? n:
-- hosts that answered. Like ai-agents-most-blocked, for crawlers that obey * and have no other
-- fallback.
SELECT named.crawl, product_token, blocked + unnamed_blocked AS hosts, n,
    (blocked + unnamed_blocked) * 1e2 / n AS pct
FROM (
    SELECT crawl, product_token, n,
        SUM(CASE WHEN restriction = 'full' THEN 1 ELSE 0 END) AS blocked,
        everybody - SUM(CASE WHEN wildcard_restriction = 'full' THEN 1 ELSE 0 END) AS unnamed_blocked
    FROM hosts
    JOIN agents ON agents.policy_id = hosts.policy_id
    JOIN (
        SELECT crawl, COUNT(*) AS n, COUNT(policy_of_all) AS everybody
        FROM hosts
        LEFT JOIN (
            SELECT policy_id AS policy_of_all FROM agents WHERE product_token = '*' AND restriction = 'full'
        ) AS closed ON policy_of_all = policy_id
        WHERE is_settled
        GROUP BY crawl
    ) AS population USING (crawl)
    WHERE is_settled AND product_token <> '*'
    GROUP BY crawl, product_token, n, everybody
) AS named
ORDER BY crawl, hosts DESC, product_token
