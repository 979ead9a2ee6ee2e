-- Which crawlers are disallowed every path by a group of their own? n: hosts that answered. Like
-- agents-at-a-glance.
SELECT crawl, product_token, COUNT(*) AS hosts, n, COUNT(*) * 1e2 / n AS pct
FROM hosts
JOIN agents ON agents.policy_id = hosts.policy_id
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE is_settled GROUP BY crawl) AS population USING (crawl)
WHERE is_settled AND has_rules AND restriction = 'full'
GROUP BY crawl, product_token, n
ORDER BY crawl, hosts DESC, product_token
