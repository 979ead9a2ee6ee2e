-- How large are robots.txt files, in the columns of the Web Almanac?
-- Keywords: published, comparison, HTTP Archive, Web Almanac, replication, size, KiB.
-- Reproduces: robots-txt-size of the SEO chapter (2025), without client; pct_0 to pct_missing are fractions.
-- Denominator: hosts that answered with a status (sites, n). Sizes are of the decoded bodies of successful responses;
--   any other response counts as missing, while HTTP Archive measures every body.
-- Unit: hosts; HTTP Archive counts sites. Intervals: none; see size-bins.
CREATE OR REPLACE MACRO http_archive_sizes(crawl := NULL) AS TABLE
    SELECT
        count(*) AS sites,
        round(count(*) FILTER (kib = 0) / nullif(count(*), 0), 6) AS pct_0,
        round(count(*) FILTER (kib > 0 AND kib <= 100) / nullif(count(*), 0), 6) AS pct_0_100,
        round(count(*) FILTER (kib > 100 AND kib <= 200) / nullif(count(*), 0), 6) AS pct_100_200,
        round(count(*) FILTER (kib > 200 AND kib <= 300) / nullif(count(*), 0), 6) AS pct_200_300,
        round(count(*) FILTER (kib > 300 AND kib <= 400) / nullif(count(*), 0), 6) AS pct_300_400,
        round(count(*) FILTER (kib > 400 AND kib <= 500) / nullif(count(*), 0), 6) AS pct_400_500,
        round(count(*) FILTER (kib > 500) / nullif(count(*), 0), 6) AS pct_gt500,
        round(count(*) FILTER (kib IS NULL) / nullif(count(*), 0), 6) AS pct_missing,
        count(*) FILTER (kib > 500) AS count_gt500,
        count(*) FILTER (kib IS NULL) AS count_missing,
        count(*) AS n, 'with a status' AS population, 'host' AS unit, known_crawl(crawl) AS crawl
    FROM (SELECT content_length / 1024 AS kib FROM of_crawl('host_files', crawl) WHERE final_status IS NOT NULL);
