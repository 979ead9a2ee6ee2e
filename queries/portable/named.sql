-- Which crawlers do hosts name? n: hosts with rules. Like agent-adoption.
SELECT crawl, product_token, COUNT(*) AS hosts, n, COUNT(*) * 1e2 / n AS pct
FROM hosts
JOIN agents ON agents.policy_id = hosts.policy_id
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE has_rules GROUP BY crawl) AS population USING (crawl)
WHERE has_rules
GROUP BY crawl, product_token, n
ORDER BY crawl, hosts DESC, product_token
