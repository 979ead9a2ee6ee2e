-- How large are robots.txt files, and how many are over the limit of 500 KiB?
--
-- Topic: Size and structure.
-- Keywords: bytes, kilobytes, length, histogram, distribution, 500 KiB, too large.
-- Reproduces: robots.txt size bins of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, that answered with a success, empty bodies included (n);
--   pages served in place of a robots.txt too (see content-classes.sql). Size is that of the
--   decoded body.
-- Parameters: crawl, bin_kib (100), by, weights.
CREATE OR REPLACE MACRO size_bins(
    crawl VARCHAR := NULL,
    bin_kib INTEGER := 100,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            *,
            coalesce(content_length, 0) AS bytes,
            -- A bin takes its upper end in; what is over the limit is one bin.
            CASE
                WHEN bytes > 500 * 1024 THEN 500
                WHEN bytes > 0 THEN (bytes - 1) // (bin_kib * 1024) * bin_kib
            END AS part
        FROM host_files_by('with_success', crawl, "by", weights)
    ),
    largest AS (SELECT part, max(bytes) AS largest_bytes FROM population GROUP BY part)
    SELECT
        CASE
            WHEN shares.part IS NULL THEN 'empty'
            WHEN shares.part = 500 THEN 'over 500 KiB'
            ELSE shares.part || ' to ' || least(shares.part + bin_kib, 500) || ' KiB'
        END AS size,
        hosts,
        share AS pct_of_hosts_with_success,
        low AS pct_low,
        high AS pct_high,
        largest_bytes,
        n,
        'with a success' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('population', 'population') AS shares
    JOIN largest ON largest.part IS NOT DISTINCT FROM shares.part
    ORDER BY shares.part NULLS FIRST;
