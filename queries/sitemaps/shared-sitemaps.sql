-- Which sitemaps do several hosts announce?
--
-- Topic: Sitemaps.
-- Keywords: same sitemap, duplicates, network of sites, spam, link farm.
-- Reproduces: sitemap URL to hosts of Common Crawl's sitemap extraction; sitemap spam met by a
--   crawl in November 2017.
-- Denominator: none; a row for each sitemap URL that at least min_hosts hosts announce, each once
--   per crawl; of a file the first --max-sitemaps count.
-- Parameters: crawl, min_hosts (2), top (50).
CREATE OR REPLACE MACRO shared_sitemaps(
    crawl VARCHAR := NULL,
    min_hosts INTEGER := 2,
    top INTEGER := 50
) AS TABLE
    WITH announced AS (
        SELECT sitemap_url, url_host_name, url_host_registered_domain, sitemap_host, is_absolute
        FROM of_crawl('hosts', crawl)
        JOIN sitemaps USING (file_id)
    )
    SELECT
        left(sitemap_url, 120) AS sitemap_url,
        count(DISTINCT url_host_name) AS announcing_hosts,
        count(DISTINCT url_host_registered_domain) AS announcing_domains,
        bool_or(is_absolute) AS is_absolute,
        count(*) FILTER (sitemap_host = url_host_name) > 0 AS announced_by_its_host,
        known_crawl(crawl) AS crawl
    FROM announced
    GROUP BY announced.sitemap_url
    HAVING announcing_hosts >= min_hosts
    ORDER BY announcing_hosts DESC, announced.sitemap_url
    LIMIT top;
