-- How many sitemaps do robots.txt files name?
--
-- Topic: Sitemaps.
-- Reproduces: files that name at least one and more than fifty sitemaps, of Common Crawl's sitemap
--   extraction; number of sitemap links in Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n).
--   Intervals are those of 95%, with registrable domains as clusters. Numbers of sitemaps are exact; whether they are on the host itself is told of the first
--   --max-sitemaps of a file.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1; weight), weights (path of a
--   CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO sitemaps_per_file(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            CASE
                WHEN n_sitemaps = 0 THEN '0'
                WHEN n_sitemaps = 1 THEN '1'
                WHEN n_sitemaps <= 5 THEN '2 to 5'
                WHEN n_sitemaps <= 50 THEN '6 to 50'
                WHEN n_sitemaps <= 1000 THEN '51 to 1000'
                ELSE 'over 1000'
            END AS part,
            cluster,
            hosts,
            weight,
            squares,
            url_host_name,
            file_id,
            n_sitemaps
        FROM host_files_by('with_file', crawl, "by", weights)
    ),
    elsewhere AS (
        SELECT DISTINCT url_host_name
        FROM crawled
        JOIN sitemaps USING (file_id)
        WHERE sitemap_host <> url_host_name
    )
    SELECT
        part AS sitemaps_in_file,
        count(*) AS hosts,
        any_value(share) AS pct_of_hosts_with_file,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        sum(n_sitemaps) AS sitemap_lines,
        max(n_sitemaps) AS most_in_a_file,
        count(elsewhere.url_host_name) AS hosts_with_sitemap_elsewhere,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM crawled
    LEFT JOIN elsewhere USING (url_host_name)
    JOIN shares_of('FROM crawled', 'FROM crawled') USING (part)
    GROUP BY part
    ORDER BY min(n_sitemaps);
