-- How many sitemaps do robots.txt files name?
-- Keywords: sitemaps per host, sitemap lines, histogram, average, no sitemap, sitemap missing.
-- Reproduces: files with one and with over fifty sitemaps (Common Crawl's extraction); links (Dinzinger's survey).
-- Denominator: hosts with a robots.txt (n). Numbers of sitemaps are exact; elsewhere (on another host) covers only a
--   file's first --max-sitemaps.
CREATE OR REPLACE MACRO sitemaps_per_file(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            *, n_sitemaps AS most_in_a_file,
            CASE
                WHEN n_sitemaps <= 1 THEN n_sitemaps::VARCHAR
                WHEN n_sitemaps <= 5 THEN '2 to 5'
                WHEN n_sitemaps <= 50 THEN '6 to 50'
                WHEN n_sitemaps <= 1000 THEN '51 to 1000'
                ELSE 'over 1000'
            END AS part
        FROM host_files_by('with_file', crawl, "by", weights)
    ),
    elsewhere AS (
        SELECT part, count(DISTINCT url_host_name) AS hosts_elsewhere
        FROM population JOIN sitemaps USING (file_id)
        WHERE sitemap_host <> url_host_name
        GROUP BY part
    )
    SELECT
        part AS sitemaps_in_file, hosts, share AS pct_of_hosts_with_file, pct_low, pct_high,
        n_sitemaps AS sitemap_lines, most_in_a_file, coalesce(hosts_elsewhere, 0) AS hosts_with_sitemap_elsewhere,
        n, population, unit, shares.crawl, note
    FROM summed_shares('population', 'population', sums := ['n_sitemaps'], greatest_of := ['most_in_a_file']) AS shares
    LEFT JOIN elsewhere USING (part)
    ORDER BY most_in_a_file;
