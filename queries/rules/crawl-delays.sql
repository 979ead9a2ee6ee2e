-- Which crawl delays do hosts set, and for which crawlers?
-- Keywords: crawl-delay, seconds, wait, politeness, rate limit, slow down.
-- Reproduces: use and values of Crawl-delay (Sun et al., WWW 2007); use (thunderbit's study).
-- Denominator: hosts with rules (n); for pct_of_delays, all pairs of a host and a crawler with a delay.
CREATE OR REPLACE MACRO crawl_delays(crawl := NULL, "by" := 'host', weights := NULL, top := 25) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    delaying AS MATERIALIZED (
        SELECT population.*, crawl_delay AS part, product_token
        FROM population JOIN agents USING (policy_id)
        WHERE crawl_delay IS NOT NULL
    ),
    asking AS (SELECT DISTINCT ON (part, url_host_name) * FROM delaying),
    counts AS (
        SELECT
            part, count(*) AS delays,
            pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_delays,
            count(*) FILTER (product_token = '*') AS of_everybody,
            mode(product_token ORDER BY product_token) FILTER (product_token <> '*') AS most_often_of
        FROM delaying
        GROUP BY part
    )
    SELECT
        part AS seconds, delays, pct_of_delays, hosts, share AS pct_of_hosts, pct_low, pct_high,
        of_everybody, most_often_of, n, population, unit, shares.crawl, note
    FROM shares('asking', 'population') AS shares
    JOIN counts USING (part)
    ORDER BY delays DESC, seconds
    LIMIT top;
