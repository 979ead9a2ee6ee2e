-- Which mistakes do robots.txt files have, and how often?
-- Keywords: errors, invalid, malformed, syntax, problems, quality, validation.
-- Reproduces: robots.txt problems (thunderbit's study); invalid lines (Dinzinger's survey).
-- Denominator: hosts with a robots.txt (n). A file counts once for each kind of remark that it has (`robostat schema
--   remarks` explains the kinds). Only a file's first 100 remarks are kept, so counts of lines are lower bounds.
CREATE OR REPLACE MACRO mistakes(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    remarked AS (
        SELECT file_id, kind AS part, count(*) AS lines, min(trim(text, ' ' || chr(9))) AS example
        FROM remarks
        GROUP BY ALL
    )
    SELECT
        part AS kind, hosts, share AS pct_of_hosts_with_file, pct_low, pct_high,
        file_id AS files, lines, left(example, 60) AS example,
        n, population, unit, shares.crawl, note
    FROM joined_shares(
        'remarked', 'population', sums := ['lines'], distinct_of := ['file_id'], least_of := ['example']
    ) AS shares
    ORDER BY hosts DESC, kind;
