-- How many files are large, by bytes, lines, rules, agents or sitemaps?
--
-- Topic: Size and structure.
-- Reproduces: files of at least 5, 20 and 100 KB, 100 and 1,000 rules, 50 and 100 agents of thunderbit's
--   robots.txt study; files over 500 KiB of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. KB are
--   1,000 bytes, KiB 1,024.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO size_thresholds(crawl VARCHAR := NULL) AS TABLE
    WITH measured AS (
        UNPIVOT (
            SELECT
                content_length AS bytes,
                n_lines::BIGINT AS lines,
                (n_allow + n_disallow)::BIGINT AS rules,
                n_agents::BIGINT AS agents,
                n_sitemaps::BIGINT AS sitemaps
            FROM of_crawl('hosts_with_file', crawl)
        )
        ON COLUMNS(*) INTO NAME measure VALUE number
    ),
    thresholds(position, measure, at_least, written) AS (VALUES
        (1, 'bytes', 5000, '5 KB'), (2, 'bytes', 20000, '20 KB'), (3, 'bytes', 100000, '100 KB'),
        (4, 'bytes', 512001, 'over 500 KiB'),
        (5, 'lines', 100, '100'), (6, 'lines', 500, '500'), (7, 'lines', 1000, '1,000'), (8, 'lines', 10000, '10,000'),
        (9, 'rules', 1, '1'), (10, 'rules', 10, '10'), (11, 'rules', 100, '100'), (12, 'rules', 1000, '1,000'),
        (13, 'rules', 10000, '10,000'),
        (14, 'agents', 2, '2'), (15, 'agents', 10, '10'), (16, 'agents', 50, '50'), (17, 'agents', 100, '100'),
        (18, 'sitemaps', 1, '1'), (19, 'sitemaps', 2, '2'), (20, 'sitemaps', 51, '51'), (21, 'sitemaps', 1001, '1,001')
    )
    SELECT
        thresholds.measure,
        any_value(written) AS at_least,
        count(*) FILTER (number >= thresholds.at_least) AS hosts,
        pct(count(*) FILTER (number >= thresholds.at_least), count(*)) AS pct_of_hosts_with_file,
        max(number) AS largest,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM thresholds
    JOIN measured USING (measure)
    GROUP BY position, thresholds.measure
    ORDER BY position;
