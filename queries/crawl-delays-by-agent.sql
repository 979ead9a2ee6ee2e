-- Of which crawlers do hosts ask a crawl delay, and how long?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: crawl delays by robot of Sun et al., WWW 2007 (web robot regulation).
-- Denominator: hosts, each once per crawl, whose file names the crawler (hosts_naming); delays are
--   seconds, the first numeric one of the crawler's own groups.
-- Parameters: crawl (the last one, by label), top (30).
CREATE OR REPLACE MACRO crawl_delays_by_agent(crawl VARCHAR := NULL, top INTEGER := 30) AS TABLE
    SELECT
        product_token,
        count(*) AS hosts_naming,
        count(crawl_delay) AS hosts_with_delay,
        pct(count(crawl_delay), count(*)) AS pct_of_hosts_naming,
        quantile_disc(crawl_delay, 0.25) AS p25_seconds,
        quantile_disc(crawl_delay, 0.5) AS median_seconds,
        quantile_disc(crawl_delay, 0.75) AS p75_seconds,
        max(crawl_delay) AS max_seconds,
        count(*) FILTER (crawl_delay > 0 AND n_rules = 0) AS hosts_with_nothing_else,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM hosts_in('with_file', crawl)
    JOIN agents USING (policy_id)
    GROUP BY product_token
    HAVING hosts_with_delay > 0
    ORDER BY hosts_with_delay DESC, product_token
    LIMIT top;
