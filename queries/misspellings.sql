-- Which keys do authors get wrong, and does it matter: does a tolerant parser take the line all the
-- same, or is it lost?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: no published table; Google's parser tolerates some misspellings, and this counts them
--   in the wild together with those that it does not.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
--   Remarks are kept for the first 100 of a file, so counts of lines are lower bounds.
-- Parameters: crawl (the last one, by label), top (40).
CREATE OR REPLACE MACRO misspellings(crawl VARCHAR := NULL, top INTEGER := 40) AS TABLE
    WITH crawled AS (
        SELECT url_host_name, file_id
        FROM hosts_in('with_file', crawl)
    )
    SELECT
        -- What stands before the colon; the first word where there is none.
        CASE
            WHEN kind = 'missing_colon' THEN regexp_extract(lower(trim(text)), '^[^\s]+') || ' (no colon)'
            ELSE trim(split_part(lower(text), ':', 1))
        END AS written,
        if(kind = 'misspelling', 'lost', 'tolerated') AS fate,
        count(DISTINCT url_host_name) AS hosts,
        round(100.0 * count(DISTINCT url_host_name) / (SELECT count(*) FROM crawled), 3) AS pct_of_hosts_with_file,
        count(*) AS lines,
        any_value(trim(text) ORDER BY file_id, line_number) AS example,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM crawled
    JOIN remarks USING (file_id)
    WHERE kind IN ('tolerated_spelling', 'misspelling', 'missing_colon')
    GROUP BY ALL
    ORDER BY hosts DESC, written
    LIMIT top;
