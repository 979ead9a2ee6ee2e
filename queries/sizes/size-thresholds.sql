-- How many files are large, by bytes, lines, rules, agents or sitemaps?
-- Keywords: largest, biggest files, huge, more than, over, 100 KB, big.
-- Reproduces: sizes, rules and agents (thunderbit's robots.txt study); files over 500 KiB (Web Almanac).
-- Denominator: hosts with a robots.txt (n). KB are 1,000 bytes, KiB 1,024. Bytes are of the whole file, all other
--   measures of the parsed 500 KiB. rules: allow and disallow lines, in groups or not; agents: distinct names,
--   including `*`.
CREATE OR REPLACE MACRO size_thresholds(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH thresholds(part, measure, at_least, least_number) AS (VALUES
        (1, 'bytes', '5 KB', 5000), (2, 'bytes', '20 KB', 20000), (3, 'bytes', '100 KB', 100000),
        (4, 'bytes', 'over 500 KiB', 512001), (5, 'lines', '100', 100), (6, 'lines', '500', 500),
        (7, 'lines', '1,000', 1000), (8, 'lines', '10,000', 10000), (9, 'rules', '1', 1), (10, 'rules', '10', 10),
        (11, 'rules', '100', 100), (12, 'rules', '1,000', 1000), (13, 'rules', '10,000', 10000),
        (14, 'agents', '2', 2), (15, 'agents', '10', 10), (16, 'agents', '50', 50), (17, 'agents', '100', 100),
        (18, 'sitemaps', '1', 1), (19, 'sitemaps', '2', 2), (20, 'sitemaps', '51', 51), (21, 'sitemaps', '1,001', 1001)
    ),
    population AS MATERIALIZED (
        SELECT stratum, cluster, weight, hosts.crawl, population, unit, content_length, COLUMNS('^n_')
        FROM host_files_by('with_file', crawl, "by", weights) AS hosts
    ),
    reaching AS (FROM measured_files('population') JOIN thresholds USING (measure) WHERE number >= least_number)
    SELECT
        measure, at_least, hosts, share AS pct_of_hosts_with_file, pct_low, pct_high, largest,
        n, population, unit, shares.crawl, note
    FROM shares('reaching', 'population', 'thresholds') AS shares
    JOIN thresholds USING (part)
    JOIN (SELECT measure, max(number) AS largest FROM measured_files('population') GROUP BY measure) USING (measure)
    ORDER BY part;
