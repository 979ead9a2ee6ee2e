-- Which sitemaps, or hosts of sitemaps, do many hosts announce: platforms, or spam?
-- Keywords: same sitemap, duplicates, foreign sitemaps, cross-host, CDN, third party, network, spam, link farm.
-- Reproduces: hosts by sitemap URL, sitemap spam of November 2017 (Common Crawl's sitemap extraction).
-- Denominator: hosts whose robots.txt names a sitemap (n); with per=host, by an absolute URL. Only a file's first
--   --max-sitemaps count. own: one of the announcing hosts is the sitemap's host.
-- Parameters: per: url, or host (the hosts that the sitemaps are on).
CREATE OR REPLACE MACRO shared_sitemaps(
    per := 'url', min_hosts := 2, crawl := NULL, "by" := 'host', weights := NULL, top := 50
) AS TABLE
    WITH announced AS MATERIALIZED (
        FROM (SELECT *, if(one_of(per, ['url', 'host'], 'per') = 'host', sitemap_host, sitemap_url) AS part FROM sitemaps)
        WHERE part IS NOT NULL
    ),
    population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights) SEMI JOIN announced USING (file_id)),
    counts AS MATERIALIZED (
        SELECT
            part, count(DISTINCT url_host_name) AS hosts_announcing, count(DISTINCT domain) AS announcing_domains,
            count(DISTINCT sitemap_url) AS sitemaps,
            bool_or(is_absolute) AS is_absolute,
            coalesce(bool_or(url_host_name = sitemap_host), false) AS own
        FROM population JOIN announced USING (file_id)
        GROUP BY part
        HAVING hosts_announcing >= min_hosts
        ORDER BY hosts_announcing DESC, sitemaps DESC, part
        LIMIT top
    ),
    announcing AS (SELECT DISTINCT file_id, part FROM announced SEMI JOIN counts USING (part))
    SELECT
        left(part, 120) AS sitemap, hosts AS announcing_hosts, announcing_domains,
        share AS pct_of_announcing_hosts, pct_low, pct_high, sitemaps, is_absolute, own,
        n, 'announcing a sitemap' AS population, "by" AS unit, known_crawl(crawl) AS crawl, note
    FROM joined_shares('announcing', 'population') AS shares
    JOIN counts USING (part)
    ORDER BY announcing_hosts DESC, sitemaps DESC, part;
