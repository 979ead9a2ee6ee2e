-- How many AI crawlers does a host block by name? n: hosts with rules. Like ai-agents-per-host.
SELECT blocking.crawl, agents_blocked, COUNT(*) AS hosts, n, COUNT(*) * 1e2 / n AS pct
FROM (
    SELECT crawl, url_host_name, COUNT(is_ai) AS agents_blocked
    FROM hosts
    LEFT JOIN (
        SELECT policy_id, is_ai
        FROM agents
        JOIN agent_catalog ON agent_catalog.product_token = agents.product_token
        WHERE is_ai AND restriction = 'full'
    ) AS blocked ON blocked.policy_id = hosts.policy_id
    WHERE has_rules
    GROUP BY crawl, url_host_name
) AS blocking
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE has_rules GROUP BY crawl) AS population
    ON population.crawl = blocking.crawl
GROUP BY blocking.crawl, agents_blocked, n
ORDER BY blocking.crawl, agents_blocked
