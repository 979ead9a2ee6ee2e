-- Which hosts are the sitemaps of many others on: platforms, or spam?
--
-- Topic: Sitemaps.
-- Keywords: foreign sitemaps, cross-host, CDN, third party.
-- Reproduces: sitemap URLs and the hosts that announce them of Common Crawl's sitemap extraction.
-- Denominator: hosts, each once per crawl, with a file that names an absolute sitemap (n); of a
--   file the first --max-sitemaps count. own: announced by the host itself.
-- Parameters: crawl, by, weights, top (30).
CREATE OR REPLACE MACRO sitemap_hosts(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH announced AS MATERIALIZED (
        SELECT DISTINCT file_id, sitemap_host AS part FROM sitemaps WHERE sitemap_host IS NOT NULL
    ),
    population AS MATERIALIZED (
        FROM hosts_by('with_file', crawl, "by", weights) WHERE file_id IN (SELECT file_id FROM announced)
    ),
    -- With all that have as many hosts as the last of them.
    most AS MATERIALIZED (
        SELECT part
        FROM population
        JOIN announced USING (file_id)
        GROUP BY part
        QUALIFY rank() OVER (ORDER BY count(*) DESC) <= top
    ),
    announcing AS MATERIALIZED (
        SELECT population.*, part
        FROM population
        JOIN announced USING (file_id)
        WHERE part IN (FROM most)
    ),
    counted AS (
        SELECT
            part,
            count(DISTINCT domain) AS announcing_domains,
            count(DISTINCT sitemap_url) AS sitemaps,
            bool_or(url_host_name = part) AS own
        FROM announcing
        JOIN sitemaps ON sitemaps.file_id = announcing.file_id AND sitemap_host = part
        GROUP BY part
    )
    SELECT
        part AS sitemap_host,
        hosts AS announcing_hosts,
        announcing_domains,
        share AS pct_of_announcing_hosts,
        low AS pct_low,
        high AS pct_high,
        sitemaps,
        own,
        n,
        'announcing a sitemap' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('announcing', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY announcing_hosts DESC, sitemaps DESC, sitemap_host
    LIMIT top;
