-- How large are robots.txt files, and how many are over the limit of 500 KiB?
--
-- Topic: Size and structure.
-- Reproduces: robots.txt size bins of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, that answered with a success, empty bodies included (n);
--   pages served in place of a robots.txt too (see content-classes.sql). Size is that of the
--   decoded body. 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), bin_kib (100), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO size_bins(
    crawl VARCHAR := NULL,
    bin_kib INTEGER := 100,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH sizes AS (
        SELECT coalesce(content_length, 0) AS bytes, cluster, hosts, weight, squares
        FROM weighed_hosts(
            'captured',
            '(file_id IS NOT NULL OR final_status = 204) AND crawl = ' || sql_text(known_crawl(crawl)),
            "by",
            weights
        )
    ),
    bins AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            bytes,
            cluster,
            hosts,
            weight,
            squares,
            -- A bin takes its upper end in; what is over the limit is one bin.
            CASE
                WHEN bytes > 500 * 1024 THEN 500
                WHEN bytes > 0 THEN (bytes - 1) // (bin_kib * 1024) * bin_kib
            END AS part
        FROM sizes
    )
    SELECT
        CASE
            WHEN bins.part IS NULL THEN 'empty'
            WHEN bins.part = 500 THEN 'over 500 KiB'
            ELSE bins.part || ' to ' || least(bins.part + bin_kib, 500) || ' KiB'
        END AS size,
        count(*) AS hosts,
        any_value(share) AS pct_of_hosts_with_success,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        max(bytes) AS largest_bytes,
        sum(count(*)) OVER ()::BIGINT AS n,
        'with a success' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM bins
    JOIN shares_of('FROM bins', 'FROM bins') AS shares ON shares.part IS NOT DISTINCT FROM bins.part
    GROUP BY bins.part
    ORDER BY bins.part NULLS FIRST;
