-- Which hosts name very many sitemaps?
-- Keywords: most sitemaps, thousands, outliers, huge.
-- Reproduces: hosts with 20,000 sitemaps, and files with over fifty (Common Crawl's sitemap extraction).
-- Denominator: none; a row for each host with a robots.txt, the most sitemap lines first. sitemaps_kept, elsewhere
--   (on another host), sitemap_hosts and not_absolute cover only a file's first --max-sitemaps.
CREATE OR REPLACE MACRO sitemap_spam(crawl := NULL, min_sitemaps := 1, top := 30) AS TABLE
    WITH most AS (
        SELECT url_host_name, file_id, n_sitemaps, count(*) OVER (PARTITION BY file_id) AS same_file
        FROM of_crawl('host_files', crawl)
        WHERE has_lines AND n_sitemaps >= min_sitemaps
        ORDER BY n_sitemaps DESC, url_host_name
        LIMIT top
    )
    SELECT
        url_host_name, n_sitemaps AS sitemaps,
        count(sitemap_url) AS sitemaps_kept,
        count(*) FILTER (sitemap_host <> url_host_name) AS elsewhere,
        count(DISTINCT sitemap_host) AS sitemap_hosts,
        count(*) FILTER (NOT is_absolute) AS not_absolute,
        same_file AS hosts_with_same_file,
        known_crawl(crawl) AS crawl
    FROM most LEFT JOIN sitemaps USING (file_id)
    GROUP BY ALL
    ORDER BY sitemaps DESC, url_host_name;
