-- How many hosts announce sitemaps, crawl after crawl, and how many sitemaps?
--
-- Topic: Sitemaps.
-- Reproduces: counters of Common Crawl's sitemap extraction (announcing at least one, more than fifty);
--   sitemap links per year of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n).
--   Numbers of sitemaps are exact. 95% intervals, with registrable domains as clusters.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a
--   CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO sitemaps_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT
            crawl_number(crawl) AS stratum,
            n_sitemaps > 0 AS part,
            cluster,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares,
            count(*) FILTER (n_sitemaps > 50) AS hosts_over_50,
            sum(n_sitemaps) AS sitemap_lines,
            max(n_sitemaps) AS most_in_a_file
        FROM weighed_hosts('with_file', 'true', "by", weights)
        GROUP BY ALL
    ),
    counted AS (
        SELECT
            stratum,
            coalesce(sum(hosts) FILTER (part), 0)::BIGINT AS hosts_announcing,
            sum(hosts_over_50)::BIGINT AS hosts_announcing_over_50,
            sum(sitemap_lines)::BIGINT AS sitemap_lines,
            max(most_in_a_file) AS most_in_a_file,
            sum(hosts)::BIGINT AS n
        FROM of_clusters
        GROUP BY stratum
    )
    SELECT
        crawl_labels()[stratum] AS crawl,
        hosts_announcing,
        coalesce(share, 0) AS pct_announcing,
        low AS pct_low,
        high AS pct_high,
        hosts_announcing_over_50,
        sitemap_lines,
        most_in_a_file,
        n,
        'with_file' AS population,
        "by" AS unit,
        joined_notes(order_note(crawl_labels()[stratum]), shares.note) AS note
    FROM counted
    LEFT JOIN shares_of('FROM of_clusters WHERE part', 'FROM of_clusters', 'SELECT true AS part') AS shares USING (stratum)
    ORDER BY stratum;
