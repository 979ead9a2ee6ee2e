-- What status codes do sites answer with, in the columns of the Web Almanac?
-- Keywords: published, comparison, HTTP Archive, Web Almanac, replication, status codes.
-- Reproduces: robots-txt-status-codes of the SEO chapter (2025), without client: status_code, total, pct (a fraction).
-- Denominator: hosts captured (n); a redirect counts with its final status. HTTP Archive counts pages, and has no
--   status for a timeout.
-- Unit: hosts; HTTP Archive counts sites. Intervals: none; see status-codes.
CREATE OR REPLACE MACRO http_archive_status(crawl := NULL) AS TABLE
    SELECT
        final_status::VARCHAR AS status_code, count(*) AS total,
        round(count(*) / sum(count(*)) OVER (), 6) AS pct,
        sum(count(*)) OVER ()::BIGINT AS n, 'captured' AS population, 'host' AS unit, known_crawl(crawl) AS crawl
    FROM hosts_in('captured', crawl)
    GROUP BY status_code
    ORDER BY total DESC, status_code;
