-- Which files are served by most hosts, byte by byte?
--
-- Topic: Size and structure.
-- Reproduces: templates of content management systems and platforms (Dinzinger's survey; vendor templates
--   of thunderbit's AI crawler study), by identity of the body.
-- Denominator: hosts, each once per crawl, with a file, whatever it is (n). Intervals are those of 95%,
--   with registrable domains as clusters.
-- Parameters: crawl (the last one in time), top (30), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO common_files(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT file_id, domain, cluster, hosts, weight, squares
        FROM weighed_hosts(
            'captured',
            'file_id IS NOT NULL AND crawl = ' || sql_text(known_crawl(crawl)),
            "by",
            weights
        )
    ),
    most AS MATERIALIZED (
        SELECT file_id, count(*) AS hosts
        FROM crawled
        GROUP BY file_id
        ORDER BY hosts DESC, file_id
        LIMIT top
    ),
    of_domains AS (
        SELECT file_id, count(DISTINCT domain) AS domains FROM crawled SEMI JOIN most USING (file_id) GROUP BY file_id
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, file_id AS part, cluster, hosts, weight, squares FROM crawled SEMI JOIN most USING (file_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM crawled'
        )
    )
    SELECT
        most.file_id,
        hosts,
        share AS pct_of_hosts_with_body,
        low AS pct_low,
        high AS pct_high,
        domains,
        content_class,
        content_length AS bytes,
        n_agents AS agents,
        n_allow + n_disallow AS rules,
        n_sitemaps AS sitemaps,
        platform,
        (SELECT count(*) FROM crawled) AS n,
        'with a body' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM most
    JOIN of_domains ON of_domains.file_id = most.file_id
    JOIN shares ON part = most.file_id
    JOIN files ON files.file_id = most.file_id
    ORDER BY hosts DESC, most.file_id;
