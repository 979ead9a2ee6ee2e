-- How large are robots.txt files, and how many are over the limit of 500 KiB?
-- Keywords: biggest files, bytes, kilobytes, length, histogram, distribution, 500 KiB, too large.
-- Reproduces: robots.txt size bins (Web Almanac, SEO chapter).
-- Denominator: hosts with a successful response, even a page or one without a body (n), by decoded size; a bin includes
--   its upper end.
-- Parameters: bin_kib (100: the width of a bin).
CREATE OR REPLACE MACRO size_bins(crawl := NULL, bin_kib := 100, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            *, coalesce(content_length, 0) AS bytes,
            CASE
                WHEN bytes > 500 * 1024 THEN 'over 500 KiB'
                WHEN bytes = 0 THEN 'empty'
                ELSE format(
                    '{} to {} KiB',
                    (bytes - 1) // (bin_kib * 1024) * bin_kib,
                    least((bytes - 1) // (bin_kib * 1024) * bin_kib + bin_kib, 500)
                )
            END AS part
        FROM host_files_by('with_success', crawl, "by", weights)
        WHERE bin_kib >= 1 OR error(concat('bin_kib is ', bin_kib, ', not a number from 1 up'))
    )
    SELECT
        part AS size, hosts, share AS pct_of_hosts_with_success, pct_low, pct_high, bytes AS largest_bytes,
        n, population, unit, shares.crawl, note
    FROM summed_shares('population', 'population', greatest_of := ['bytes']) AS shares
    ORDER BY largest_bytes;
