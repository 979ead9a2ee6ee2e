-- Which crawl delays do hosts ask for, and of whom?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: use and values of Crawl-delay in Sun et al., WWW 2007; use in thunderbit's study.
-- Denominator: pct_of_delays is of all delays, one for each host (once per crawl) and agent that
--   has a group with a numeric crawl-delay; pct_of_hosts is of hosts with a file that has rules.
-- Parameters: crawl (the last one, by label), top (25).
CREATE OR REPLACE MACRO crawl_delays(crawl VARCHAR := NULL, top INTEGER := 25) AS TABLE
    WITH crawled AS (
        SELECT url_host_name, hosts.policy_id
        FROM hosts_in('with_file', crawl) AS hosts
        WHERE has_rules
    )
    SELECT
        crawl_delay AS seconds,
        count(*) AS delays,
        round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS pct_of_delays,
        count(DISTINCT url_host_name) AS hosts,
        round(100.0 * count(DISTINCT url_host_name) / (SELECT count(*) FROM crawled), 2) AS pct_of_hosts,
        count(*) FILTER (product_token = '*') AS of_everybody,
        mode(product_token ORDER BY product_token) FILTER (product_token <> '*') AS most_often_of,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM crawled
    JOIN agents USING (policy_id)
    WHERE crawl_delay IS NOT NULL
    GROUP BY crawl_delay
    ORDER BY delays DESC, seconds
    LIMIT top;
