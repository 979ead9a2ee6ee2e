-- How many sitemaps do robots.txt files name?
--
-- Topic: Sitemaps.
-- Reproduces: files that name at least one and more than fifty sitemaps, of Common Crawl's sitemap
--   extraction; number of sitemap links in Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n). 95% intervals,
--   with registrable domains as clusters. Numbers of sitemaps are exact; whether they are on the host itself is known
--   for the first --max-sitemaps of a file.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO sitemaps_per_file(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH numbered AS (
        SELECT cluster, n_sitemaps, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM host_files_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    of_clusters AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            *,
            CASE
                WHEN n_sitemaps = 0 THEN '0'
                WHEN n_sitemaps = 1 THEN '1'
                WHEN n_sitemaps <= 5 THEN '2 to 5'
                WHEN n_sitemaps <= 50 THEN '6 to 50'
                WHEN n_sitemaps <= 1000 THEN '51 to 1000'
                ELSE 'over 1000'
            END AS part
        FROM numbered
    ),
    -- Hosts whose file names a sitemap on another host, by how many it names.
    elsewhere AS (
        SELECT n_sitemaps, count(*) AS hosts
        FROM (
            SELECT crawled.file_id
            FROM hosts_in('with_file', crawl) AS crawled
            SEMI JOIN sitemaps ON sitemaps.file_id = crawled.file_id AND sitemap_host <> url_host_name
        )
        JOIN files USING (file_id)
        GROUP BY n_sitemaps
    ),
    numbers AS (
        SELECT part, n_sitemaps, sum(hosts)::BIGINT AS hosts FROM of_clusters GROUP BY ALL
    ),
    counted AS (
        SELECT
            part,
            sum(numbers.hosts)::BIGINT AS hosts,
            sum(n_sitemaps * numbers.hosts) AS sitemap_lines,
            min(n_sitemaps) AS fewest,
            max(n_sitemaps) AS most,
            coalesce(sum(elsewhere.hosts), 0)::BIGINT AS elsewhere
        FROM numbers
        LEFT JOIN elsewhere USING (n_sitemaps)
        GROUP BY part
    )
    SELECT
        part AS sitemaps_in_file,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        sitemap_lines,
        most AS most_in_a_file,
        elsewhere AS hosts_with_sitemap_elsewhere,
        sum(hosts) OVER ()::BIGINT AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    JOIN shares_of('FROM of_clusters', 'FROM of_clusters') USING (part)
    ORDER BY fewest;
