-- How many hosts announce sitemaps, crawl after crawl, and how many sitemaps?
--
-- Topic: Sitemaps.
-- Reproduces: counters of Common Crawl's sitemap extraction (announcing at least one, more than fifty);
--   sitemap links per year of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n).
--   Numbers of sitemaps are exact. Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a
--   CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO sitemaps_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT crawl AS stratum, n_sitemaps > 0 AS part, cluster, hosts, weight, squares, n_sitemaps
        FROM weighed_hosts('with_file', 'true', "by", weights)
    ),
    shares AS (
        FROM shares_of('FROM crawled WHERE part', 'FROM crawled')
    )
    SELECT
        crawled.stratum AS crawl,
        count(*) FILTER (crawled.part) AS hosts_announcing,
        coalesce(any_value(share), 0) AS pct_announcing,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(*) FILTER (n_sitemaps > 50) AS hosts_announcing_over_50,
        sum(n_sitemaps)::BIGINT AS sitemap_lines,
        max(n_sitemaps) AS most_in_a_file,
        count(*) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM crawled
    LEFT JOIN shares USING (stratum)
    GROUP BY crawled.stratum
    ORDER BY crawl;
