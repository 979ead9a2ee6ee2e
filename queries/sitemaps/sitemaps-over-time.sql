-- How many hosts announce sitemaps, crawl after crawl, and how many sitemaps?
--
-- Keywords: trend, growth, years, adoption of sitemaps.
-- Reproduces: counters of Common Crawl's sitemap extraction (announcing at least one, more than
--   fifty); sitemap links per year of Dinzinger's survey.
-- Denominator: hosts with a robots.txt (n). Numbers of sitemaps are exact.
CREATE OR REPLACE MACRO sitemaps_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS MATERIALIZED (SELECT *, true AS part FROM all_host_files_by('with_file', "by", weights)),
    announcing AS (FROM population WHERE n_sitemaps > 0),
    counts AS (
        SELECT
            stratum,
            count(*) FILTER (n_sitemaps > 50) AS hosts_announcing_over_50,
            sum(n_sitemaps)::BIGINT AS sitemap_lines,
            max(n_sitemaps) AS most_in_a_file
        FROM population
        GROUP BY stratum
    )
    SELECT
        shares.crawl,
        hosts AS hosts_announcing, share AS pct_announcing, low AS pct_low, high AS pct_high,
        hosts_announcing_over_50, sitemap_lines, most_in_a_file,
        n, population, unit,
        joined_notes([order_note(shares.crawl), note]) AS note
    FROM shares('announcing', 'population', 'one_part') AS shares
    JOIN counts USING (stratum)
    ORDER BY stratum;
