-- Which crawl delays do hosts set, for any crawler? n: hosts with rules. Like crawl-delays.
SELECT crawl, crawl_delay AS seconds, COUNT(*) AS delays,
    COUNT(DISTINCT url_host_name) AS hosts, n, COUNT(DISTINCT url_host_name) * 1e2 / n AS pct
FROM hosts
JOIN agents ON agents.policy_id = hosts.policy_id
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE has_rules GROUP BY crawl) AS population USING (crawl)
WHERE has_rules AND crawl_delay IS NOT NULL
GROUP BY crawl, crawl_delay, n
ORDER BY crawl, delays DESC, seconds
