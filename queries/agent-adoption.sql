-- Which crawlers do hosts name in their robots.txt?
--
-- Topic: Who is named.
-- Reproduces: the most frequent user agents of the Web Almanac (SEO chapter), of Dinzinger's
--   robots.txt survey (top product tokens per year), and of Common Crawl's robots.txt experiments.
-- Denominator: pct_of_hosts_with_rules is of hosts with a file that has rules; pct_of_hosts of all hosts
--   captured, whatever they answered. A host counts once per crawl, by its row in `hosts`.
--   Common Crawl calls an agent addressed only if it has rules: that is hosts_with_rules.
-- Parameters: crawl (the last one, by label), top (30).
CREATE OR REPLACE MACRO agent_adoption(crawl VARCHAR := NULL, top INTEGER := 30) AS TABLE
    WITH crawled AS (
        SELECT url_host_name, hosts.policy_id, content_class = 'rules' AS has_rules
        FROM of_crawl('hosts', crawl) AS hosts
        LEFT JOIN files USING (file_id)
    ),
    total AS (
        SELECT count(*) AS hosts, count(*) FILTER (has_rules) AS files FROM crawled
    )
    SELECT
        product_token,
        mode(user_agent_raw ORDER BY user_agent_raw) AS usual_spelling,
        count(*) AS hosts,
        count(*) FILTER (n_rules > 0) AS hosts_with_rules,
        round(100.0 * count(*) / any_value(total.files), 2) AS pct_of_hosts_with_rules,
        round(100.0 * count(*) / any_value(total.hosts), 2) AS pct_of_hosts
    FROM crawled
    JOIN agents USING (policy_id)
    CROSS JOIN total
    WHERE has_rules
    GROUP BY product_token
    ORDER BY hosts DESC, product_token
    LIMIT top;
