-- Which crawl delays do hosts ask for, and of whom?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: use and values of Crawl-delay in Sun et al., WWW 2007; use in thunderbit's study.
-- Denominator: pct_of_delays is of all delays, one for each host (once per crawl) and agent that
--   has a group with a numeric crawl-delay; pct_of_hosts is of hosts with a file that has rules (n).
--   pct_low and pct_high are the ends of the 95% interval of pct_of_hosts, with registrable domains as
--   clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (25).
CREATE OR REPLACE MACRO crawl_delays(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 25
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY ALL
    ),
    crawled AS MATERIALIZED (
        SELECT policy_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY policy_id
    ),
    asked AS MATERIALIZED (
        SELECT policy_id, crawl_delay, product_token
        FROM agents
        SEMI JOIN crawled USING (policy_id)
        WHERE crawl_delay IS NOT NULL
    ),
    delays AS (
        SELECT
            crawl_delay,
            sum(hosts)::BIGINT AS delays,
            pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_delays,
            coalesce(sum(hosts) FILTER (product_token = '*'), 0)::BIGINT AS of_everybody
        FROM asked
        JOIN crawled USING (policy_id)
        GROUP BY crawl_delay
        ORDER BY delays DESC, crawl_delay
        LIMIT top
    ),
    -- The crawler that most hosts ask it of; of several the first.
    usual AS (
        SELECT crawl_delay, arg_min(product_token, (-hosts, product_token)) AS most_often_of
        FROM (
            SELECT crawl_delay, product_token, sum(hosts) AS hosts
            FROM asked
            JOIN crawled USING (policy_id)
            WHERE product_token <> '*'
            GROUP BY ALL
        )
        GROUP BY crawl_delay
    ),
    asking AS MATERIALIZED (
        SELECT NULL AS stratum, crawl_delay AS part, cluster, sum(hosts) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM (SELECT DISTINCT policy_id, crawl_delay FROM asked SEMI JOIN delays USING (crawl_delay))
        JOIN of_clusters USING (policy_id)
        GROUP BY ALL
    ),
    shares AS (
        FROM shares_of('FROM asking', 'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters')
    )
    SELECT
        crawl_delay AS seconds,
        delays,
        pct_of_delays,
        asking.hosts,
        share AS pct_of_hosts,
        low AS pct_low,
        high AS pct_high,
        of_everybody,
        most_often_of,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM delays
    LEFT JOIN usual USING (crawl_delay)
    JOIN (SELECT part, sum(hosts)::BIGINT AS hosts FROM asking GROUP BY part) AS asking ON asking.part = crawl_delay
    JOIN shares ON shares.part = crawl_delay
    ORDER BY delays DESC, seconds;
