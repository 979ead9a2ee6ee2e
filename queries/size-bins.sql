-- How large are robots.txt files, and how many are over the limit of 500 KiB?
--
-- Topic: Size and structure.
-- Reproduces: robots.txt size bins of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, that answered with a success, empty bodies included;
--   pages served in place of a robots.txt too (see content-classes.sql). Size is that of the
--   decoded body.
-- Parameters: crawl (the last one, by label), bin_kib (100).
CREATE OR REPLACE MACRO size_bins(crawl VARCHAR := NULL, bin_kib INTEGER := 100) AS TABLE
    WITH sizes AS (
        SELECT coalesce(content_length, 0) AS bytes
        FROM of_crawl('hosts', crawl)
        LEFT JOIN files USING (file_id)
        WHERE (file_id IS NOT NULL OR final_status = 204)
    ),
    bins AS (
        SELECT
            bytes,
            -- A bin takes its upper end in; what is over the limit is one bin.
            CASE
                WHEN bytes > 500 * 1024 THEN 500
                WHEN bytes > 0 THEN (bytes - 1) // (bin_kib * 1024) * bin_kib
            END AS from_kib
        FROM sizes
    )
    SELECT
        CASE
            WHEN from_kib IS NULL THEN 'empty'
            WHEN from_kib = 500 THEN 'over 500 KiB'
            ELSE from_kib || ' to ' || least(from_kib + bin_kib, 500) || ' KiB'
        END AS size,
        count(*) AS hosts,
        round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS pct_of_hosts_with_file,
        max(bytes) AS largest_bytes
    FROM bins
    GROUP BY from_kib
    ORDER BY from_kib NULLS FIRST;
