-- Which sitemaps do several hosts announce?
--
-- Topic: Sitemaps.
-- Reproduces: sitemap URL to hosts of Common Crawl's sitemap extraction; sitemap spam met by a crawl in
--   November 2017.
-- Denominator: none; a row for each sitemap URL that at least min_hosts hosts announce, each once per
--   crawl; of a file the first --max-sitemaps count.
-- Parameters: crawl (the last one in time), min_hosts (2), top (50).
CREATE OR REPLACE MACRO shared_sitemaps(
    crawl VARCHAR := NULL,
    min_hosts INTEGER := 2,
    top INTEGER := 50
) AS TABLE
    WITH
    -- By the numbers of URLs first: most are announced by one host. Two URLs may have one number, and then
    -- look like one of more hosts: a few more than are asked for are looked at.
    counted AS MATERIALIZED (
        SELECT code, sum(hosts) AS hosts
        FROM (SELECT DISTINCT hash(sitemap_url) AS code, file_id FROM sitemaps)
        JOIN (SELECT file_id, count(*) AS hosts FROM of_crawl('hosts', crawl) GROUP BY file_id) USING (file_id)
        GROUP BY code
        HAVING sum(hosts) >= min_hosts
    ),
    needed AS (
        SELECT min(hosts) AS hosts FROM (SELECT hosts FROM counted ORDER BY hosts DESC LIMIT top + 10)
    )
    SELECT
        left(sitemap_url, 120) AS sitemap_url,
        count(DISTINCT url_host_name) AS announcing_hosts,
        count(DISTINCT url_host_registered_domain) AS announcing_domains,
        bool_or(is_absolute) AS is_absolute,
        count(*) FILTER (sitemap_host = url_host_name) > 0 AS announced_by_its_host,
        known_crawl(crawl) AS crawl
    FROM of_crawl('hosts', crawl)
    JOIN (
        FROM sitemaps
        WHERE hash(sitemap_url) IN (SELECT code FROM counted WHERE hosts >= (SELECT hosts FROM needed))
    ) AS sitemaps USING (file_id)
    GROUP BY sitemaps.sitemap_url
    HAVING announcing_hosts >= min_hosts
    ORDER BY announcing_hosts DESC, sitemaps.sitemap_url
    LIMIT top;
