-- How many sitemaps do robots.txt files name?
--
-- Topic: Sitemaps.
-- Reproduces: files that name at least one and more than fifty sitemaps, of Common Crawl's sitemap
--   extraction; number of sitemap links in Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
--   Numbers of sitemaps are exact; whether they are on the host itself is told of the first
--   --max-sitemaps of a file.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO sitemaps_per_file(crawl VARCHAR := NULL) AS TABLE
    WITH crawled AS (
        SELECT url_host_name, file_id, n_sitemaps
        FROM of_crawl('hosts_with_file', crawl)
    ),
    elsewhere AS (
        SELECT DISTINCT url_host_name
        FROM crawled
        JOIN sitemaps USING (file_id)
        WHERE sitemap_host <> url_host_name
    )
    SELECT
        CASE
            WHEN n_sitemaps = 0 THEN '0'
            WHEN n_sitemaps = 1 THEN '1'
            WHEN n_sitemaps <= 5 THEN '2 to 5'
            WHEN n_sitemaps <= 50 THEN '6 to 50'
            WHEN n_sitemaps <= 1000 THEN '51 to 1000'
            ELSE 'over 1000'
        END AS sitemaps_in_file,
        count(*) AS hosts,
        round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS pct_of_hosts_with_file,
        sum(n_sitemaps) AS sitemap_lines,
        max(n_sitemaps) AS most_in_a_file,
        count(elsewhere.url_host_name) AS hosts_with_sitemap_elsewhere,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM crawled
    LEFT JOIN elsewhere USING (url_host_name)
    GROUP BY sitemaps_in_file
    ORDER BY min(n_sitemaps);
