-- Which crawlers do hosts name, crawl after crawl?
--
-- Topic: Who is named.
-- Reproduces: agents by year of Common Crawl's robots.txt experiments; top product tokens per year of
--   Dinzinger's survey.
-- Denominator: pct_of_hosts_with_rules is of hosts, each once per crawl, whose file has rules.
-- Parameters: agents (the 10 of the catalogue that most policies name).
CREATE OR REPLACE MACRO agent_adoption_over_time(agents VARCHAR[] := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(10))) AS product_token
    ),
    crawled AS (
        SELECT crawl, policy_id, count(*) AS hosts FROM hosts WHERE has_rules GROUP BY ALL
    ),
    total AS (
        SELECT crawl, sum(hosts) AS hosts FROM crawled GROUP BY crawl
    ),
    named AS (
        SELECT crawl, product_token, sum(hosts) AS hosts
        FROM crawled
        JOIN agents USING (policy_id)
        WHERE product_token IN (FROM chosen)
        GROUP BY ALL
    )
    SELECT
        product_token,
        crawl,
        coalesce(named.hosts, 0)::BIGINT AS hosts,
        total.hosts::BIGINT AS hosts_with_rules,
        pct(coalesce(named.hosts, 0), total.hosts) AS pct_of_hosts_with_rules,
        'with_rules' AS population
    FROM total
    CROSS JOIN chosen AS asked
    LEFT JOIN named USING (crawl, product_token)
    ORDER BY product_token, crawl;
