-- Which hosts name very many sitemaps?
--
-- Topic: Sitemaps.
-- Keywords: most sitemaps, thousands, outliers, huge.
-- Reproduces: hosts with 20,000 sitemap lines each, met by a crawl in November 2017; files with
--   more than fifty sitemaps of Common Crawl's sitemap extraction.
-- Denominator: none; hosts, each once per crawl, by the exact number of sitemap lines of their
--   file. elsewhere and sitemap_hosts count the first --max-sitemaps of a file; same_file: hosts
--   that serve the very same one.
-- Parameters: crawl, min_sitemaps (1), top (30).
CREATE OR REPLACE MACRO sitemap_spam(
    crawl VARCHAR := NULL,
    min_sitemaps INTEGER := 1,
    top INTEGER := 30
) AS TABLE
    WITH most AS (
        SELECT url_host_name, file_id, n_sitemaps, count(*) OVER (PARTITION BY file_id) AS same_file
        FROM of_crawl('host_files', crawl)
        WHERE n_sitemaps >= min_sitemaps
        ORDER BY n_sitemaps DESC, url_host_name
        LIMIT top
    )
    SELECT
        url_host_name,
        any_value(n_sitemaps) AS sitemaps,
        count(sitemaps.file_id) AS sitemaps_kept,
        count(*) FILTER (sitemap_host <> url_host_name) AS elsewhere,
        count(DISTINCT sitemap_host) AS sitemap_hosts,
        count(*) FILTER (NOT is_absolute) AS not_absolute,
        any_value(same_file) AS hosts_with_same_file,
        known_crawl(crawl) AS crawl
    FROM most
    LEFT JOIN sitemaps ON sitemaps.file_id = most.file_id
    GROUP BY url_host_name
    ORDER BY sitemaps DESC, url_host_name;
