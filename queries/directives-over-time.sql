-- Which directives beyond RFC 9309 come into use, crawl after crawl, and which go?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: use of extensions by year of the Web Almanac and of thunderbit's study, as a series.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n). 95% intervals, with registrable domains as clusters.
-- Parameters: directives (the 12 that most policies have), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO directives_over_time(
    directives VARCHAR[] := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT crawl_number(crawl) AS stratum, cluster, policy_id, hosts, weight, squares
        FROM query('FROM ' || all_hosts_sql('with_file', "by", weights))
    ),
    of_clusters AS MATERIALIZED (
        SELECT stratum, cluster, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM crawled
        GROUP BY ALL
    ),
    total AS (
        SELECT stratum, sum(hosts)::BIGINT AS n FROM of_clusters GROUP BY stratum
    ),
    said AS MATERIALIZED (
        SELECT DISTINCT policy_id, directive FROM directives SEMI JOIN crawled USING (policy_id)
    ),
    chosen AS (
        SELECT lower(unnest(coalesce(directives, (
            SELECT list(directive) FROM (
                SELECT directive FROM said GROUP BY directive ORDER BY count(*) DESC, directive LIMIT 12
            )
        )))) AS directive
    ),
    using_one AS MATERIALIZED (
        SELECT stratum, directive AS part, cluster, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM crawled
        JOIN (FROM said WHERE directive IN (FROM chosen)) USING (policy_id)
        GROUP BY ALL
    ),
    used AS (
        SELECT stratum, part, sum(hosts)::BIGINT AS hosts FROM using_one GROUP BY ALL
    )
    SELECT
        directive,
        crawl_labels()[total.stratum] AS crawl,
        coalesce(hosts, 0) AS hosts,
        coalesce(share, 0) AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        n,
        'with_file' AS population,
        "by" AS unit,
        joined_notes(order_note(crawl_labels()[total.stratum]), shares.note) AS note
    FROM total
    CROSS JOIN chosen
    LEFT JOIN used ON used.stratum = total.stratum AND used.part = directive
    LEFT JOIN shares_of('FROM using_one', 'FROM of_clusters', 'SELECT part FROM using_one') AS shares
        ON shares.stratum = total.stratum AND shares.part = directive
    ORDER BY directive, total.stratum;
