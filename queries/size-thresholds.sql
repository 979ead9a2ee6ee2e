-- How many files are large, by bytes, lines, rules, agents or sitemaps?
--
-- Topic: Size and structure.
-- Reproduces: files of at least 5, 20 and 100 KB, 100 and 1,000 rules, 50 and 100 agents of thunderbit's
--   robots.txt study; files over 500 KiB of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n). KB
--   are 1,000 bytes, KiB 1,024. Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1; weight), weights (path of a
--   CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO size_thresholds(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH measured AS MATERIALIZED (
        UNPIVOT (
            SELECT
                cluster,
                hosts,
                weight,
                squares,
                content_length AS bytes,
                n_lines::BIGINT AS lines,
                (n_allow + n_disallow)::BIGINT AS rules,
                n_agents::BIGINT AS agents,
                n_sitemaps::BIGINT AS sitemaps
            FROM host_files_by('with_file', crawl, "by", weights)
        )
        ON COLUMNS(* EXCLUDE (cluster, hosts, weight, squares)) INTO NAME measure VALUE number
    ),
    thresholds(position, measure, at_least, written) AS (VALUES
        (1, 'bytes', 5000, '5 KB'), (2, 'bytes', 20000, '20 KB'), (3, 'bytes', 100000, '100 KB'),
        (4, 'bytes', 512001, 'over 500 KiB'),
        (5, 'lines', 100, '100'), (6, 'lines', 500, '500'), (7, 'lines', 1000, '1,000'), (8, 'lines', 10000, '10,000'),
        (9, 'rules', 1, '1'), (10, 'rules', 10, '10'), (11, 'rules', 100, '100'), (12, 'rules', 1000, '1,000'),
        (13, 'rules', 10000, '10,000'),
        (14, 'agents', 2, '2'), (15, 'agents', 10, '10'), (16, 'agents', 50, '50'), (17, 'agents', 100, '100'),
        (18, 'sitemaps', 1, '1'), (19, 'sitemaps', 2, '2'), (20, 'sitemaps', 51, '51'), (21, 'sitemaps', 1001, '1,001')
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, position AS part, cluster, hosts, weight, squares
            FROM thresholds JOIN measured USING (measure) WHERE number >= at_least',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM measured WHERE measure = ''bytes'''
        )
    )
    SELECT
        thresholds.measure,
        any_value(written) AS at_least,
        count(*) FILTER (number >= thresholds.at_least) AS hosts,
        coalesce(any_value(share), 0) AS pct_of_hosts_with_file,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        max(number) AS largest,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM thresholds
    JOIN measured USING (measure)
    LEFT JOIN shares ON part = position
    GROUP BY position, thresholds.measure
    ORDER BY position;
