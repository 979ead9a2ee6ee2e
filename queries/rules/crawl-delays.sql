-- Which crawl delays do hosts ask for, and of whom?
--
-- Topic: Rules, directives and mistakes.
-- Keywords: crawl-delay, seconds, wait, politeness, rate limit, more than 10.
-- Reproduces: use and values of Crawl-delay in Sun et al., WWW 2007; use in thunderbit's study.
-- Denominator: pct_of_delays is of all delays, one for each host (once per crawl) and agent that
--   has a group with a numeric crawl-delay; pct_of_hosts is of hosts with a file that has rules
--   (n). pct_low and pct_high are the ends of the 95% interval of pct_of_hosts, with registrable
--   domains as clusters.
-- Parameters: crawl, by, weights, top (25).
CREATE OR REPLACE MACRO crawl_delays(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 25
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    delaying AS MATERIALIZED (
        SELECT population.*, crawl_delay AS part, product_token
        FROM population
        JOIN agents USING (policy_id)
        WHERE crawl_delay IS NOT NULL
    ),
    asking AS (
        SELECT DISTINCT ON (part, url_host_name) * EXCLUDE (product_token) FROM delaying
    ),
    of_crawlers AS (
        SELECT part, product_token, count(*) AS delays, sum(weight) AS weight FROM delaying GROUP BY ALL
    ),
    delays AS (
        SELECT
            part,
            sum(delays)::BIGINT AS delays,
            pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_delays,
            coalesce(sum(delays) FILTER (product_token = '*'), 0)::BIGINT AS of_everybody,
            arg_min(product_token, (-delays, product_token)) FILTER (product_token <> '*') AS most_often_of
        FROM of_crawlers
        GROUP BY part
    )
    SELECT
        part AS seconds,
        delays,
        pct_of_delays,
        hosts,
        share AS pct_of_hosts,
        low AS pct_low,
        high AS pct_high,
        of_everybody,
        most_often_of,
        n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('asking', 'population') AS shares
    JOIN delays USING (part)
    ORDER BY delays DESC, seconds
    LIMIT top;
