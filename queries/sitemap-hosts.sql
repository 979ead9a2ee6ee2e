-- Which hosts are the sitemaps of many others on: platforms, or spam?
--
-- Topic: Sitemaps.
-- Reproduces: sitemap URLs and the hosts that announce them of Common Crawl's sitemap extraction.
-- Denominator: hosts, each once per crawl, with a file that names an absolute sitemap (n); of a
--   file the first --max-sitemaps count. own: announced by the host itself. Intervals are those of
--   95%, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (30).
CREATE OR REPLACE MACRO sitemap_hosts(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH announcing AS MATERIALIZED (
        SELECT NULL AS stratum, url_host_name, domain, cluster, hosts, weight, squares, file_id
        FROM hosts_by('with_file', crawl, "by", weights)
        SEMI JOIN (FROM sitemaps WHERE sitemap_host IS NOT NULL) AS named USING (file_id)
    ),
    -- By the numbers of names first: most are announced by one host. Two names may have one number, and then
    -- look like one of more hosts: a few more than are asked for are looked at.
    counted AS MATERIALIZED (
        SELECT code, sum(hosts) AS hosts
        FROM (SELECT DISTINCT hash(sitemap_host) AS code, file_id FROM sitemaps WHERE sitemap_host IS NOT NULL)
        JOIN (SELECT file_id, count(*) AS hosts FROM announcing GROUP BY file_id) USING (file_id)
        GROUP BY code
    ),
    needed AS (
        SELECT min(hosts) AS hosts FROM (SELECT hosts FROM counted ORDER BY hosts DESC LIMIT top + 10)
    ),
    announced AS MATERIALIZED (
        SELECT announcing.*, sitemap_host, sitemap_url
        FROM announcing
        JOIN (
            FROM sitemaps
            WHERE hash(sitemap_host) IN (SELECT code FROM counted WHERE hosts >= (SELECT hosts FROM needed))
        ) USING (file_id)
    ),
    most AS MATERIALIZED (
        SELECT
            sitemap_host,
            count(DISTINCT url_host_name) AS announcing_hosts,
            count(DISTINCT domain) AS announcing_domains,
            count(DISTINCT sitemap_url) AS sitemaps,
            bool_or(url_host_name = sitemap_host) AS own
        FROM announced
        GROUP BY sitemap_host
        ORDER BY announcing_hosts DESC, sitemaps DESC, sitemap_host
        LIMIT top
    ),
    shares AS (
        FROM shares_of(
            'SELECT DISTINCT * EXCLUDE (sitemap_url, sitemap_host), sitemap_host AS part
            FROM announced SEMI JOIN most USING (sitemap_host)',
            'FROM announcing'
        )
    )
    SELECT
        sitemap_host,
        announcing_hosts,
        announcing_domains,
        share AS pct_of_announcing_hosts,
        low AS pct_low,
        high AS pct_high,
        sitemaps,
        own,
        (SELECT count(*) FROM announcing) AS n,
        'announcing a sitemap' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM most
    JOIN shares ON part = sitemap_host
    ORDER BY announcing_hosts DESC, sitemaps DESC, sitemap_host;
