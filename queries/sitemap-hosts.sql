-- Which hosts are the sitemaps of many others on: platforms, or spam?
--
-- Topic: Sitemaps.
-- Reproduces: sitemap URLs and the hosts that announce them of Common Crawl's sitemap extraction.
-- Denominator: hosts, each once per crawl, with a file that names a sitemap; of a file the first
--   --max-sitemaps count. own: announced by the host itself.
-- Parameters: crawl (the last one, by label), top (30).
CREATE OR REPLACE MACRO sitemap_hosts(crawl VARCHAR := NULL, top INTEGER := 30) AS TABLE
    WITH announced AS (
        SELECT url_host_name, url_host_registered_domain, sitemap_host, sitemap_url
        FROM of_crawl('hosts', crawl)
        JOIN sitemaps USING (file_id)
        WHERE sitemap_host IS NOT NULL
    )
    SELECT
        sitemap_host,
        count(DISTINCT url_host_name) AS announcing_hosts,
        count(DISTINCT url_host_registered_domain) AS announcing_domains,
        pct(count(DISTINCT url_host_name), (SELECT count(DISTINCT url_host_name) FROM announced)) AS pct_of_announcing_hosts,
        count(DISTINCT sitemap_url) AS sitemaps,
        bool_or(url_host_name = sitemap_host) AS own
    FROM announced
    GROUP BY sitemap_host
    ORDER BY announcing_hosts DESC, sitemaps DESC, sitemap_host
    LIMIT top;
