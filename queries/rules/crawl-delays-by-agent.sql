-- Which crawlers get a crawl delay, and how long?
-- Keywords: crawl-delay, seconds, wait, politeness, rate limit, slow down.
-- Reproduces: crawl delays by robot (Sun et al., WWW 2007, web robot regulation).
-- Denominator: hosts whose robots.txt names the crawler (n); the delay is the first number that holds for the crawler.
CREATE OR REPLACE MACRO crawl_delays_by_agent(crawl := NULL, "by" := 'host', weights := NULL, top := 30) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT hosts.* REPLACE (product_token AS stratum), true AS part, crawl_delay, n_rules
        FROM hosts_by('with_file', crawl, "by", weights) AS hosts JOIN agents USING (policy_id)
    ),
    delaying AS MATERIALIZED (FROM population WHERE crawl_delay IS NOT NULL),
    delays AS (
        SELECT
            stratum, quantile_disc(crawl_delay, [0.25, 0.5, 0.75, 1]) AS seconds,
            count(*) FILTER (crawl_delay > 0 AND n_rules = 0) AS hosts_with_nothing_else
        FROM delaying
        GROUP BY stratum
    )
    SELECT
        stratum AS product_token, hosts AS hosts_with_delay, share AS pct_of_hosts_naming, pct_low, pct_high,
        seconds[1] AS p25_seconds, seconds[2] AS median_seconds, seconds[3] AS p75_seconds, seconds[4] AS max_seconds,
        hosts_with_nothing_else, n, 'naming the crawler' AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(stratum, shares.crawl), note]) AS note
    FROM shares('delaying', 'population') AS shares
    JOIN delays USING (stratum)
    ORDER BY hosts_with_delay DESC, product_token
    LIMIT top;
