-- Which mistakes do robots.txt files have, and how often?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: robots.txt problems of thunderbit's study; invalid lines of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. A file
--   counts once for each kind of remark that it has; remarks are kept for the first 100 of a file,
--   so that lines are lower bounds. `robostat inspect --help` explains the kinds. Intervals are those of 95%,
--   with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO mistakes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT file_id, cluster, hosts, weight, squares FROM hosts_by('with_file', crawl, "by", weights)
    ),
    -- Of clusters and files, those with a remark; few have one.
    of_clusters AS MATERIALIZED (
        SELECT cluster, file_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM crawled SEMI JOIN remarks USING (file_id)
        GROUP BY ALL
    ),
    of_files AS MATERIALIZED (
        SELECT file_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY file_id
    ),
    found AS MATERIALIZED (
        SELECT file_id, kind, count(*) AS lines, min(trim(text)) AS example
        FROM remarks SEMI JOIN of_files USING (file_id)
        GROUP BY ALL
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, kind AS part, cluster, hosts, weight, squares FROM found JOIN of_clusters USING (file_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM crawled'
        )
    )
    SELECT
        kind,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM crawled)) AS pct_of_hosts_with_file,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(*) AS files,
        sum(lines * hosts)::BIGINT AS lines,
        left(min(example), 60) AS example,
        (SELECT count(*) FROM crawled) AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM found
    JOIN of_files USING (file_id)
    JOIN shares ON part = kind
    GROUP BY kind
    ORDER BY hosts DESC, kind;
