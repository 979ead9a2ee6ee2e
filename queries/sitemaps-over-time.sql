-- How many hosts announce sitemaps, crawl after crawl, and how many sitemaps?
--
-- Topic: Sitemaps.
-- Reproduces: counters of Common Crawl's sitemap extraction (announcing at least one, more than fifty);
--   sitemap links per year of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. Numbers
--   of sitemaps are exact.
-- Parameters: none.
CREATE OR REPLACE MACRO sitemaps_over_time() AS TABLE
    SELECT
        crawl,
        count(*) AS hosts_with_file,
        count(*) FILTER (n_sitemaps > 0) AS hosts_announcing,
        pct(count(*) FILTER (n_sitemaps > 0), count(*)) AS pct_announcing,
        count(*) FILTER (n_sitemaps > 50) AS hosts_announcing_over_50,
        sum(n_sitemaps)::BIGINT AS sitemap_lines,
        max(n_sitemaps) AS most_in_a_file,
        'with_file' AS population
    FROM hosts_with_file
    GROUP BY crawl
    ORDER BY crawl;
