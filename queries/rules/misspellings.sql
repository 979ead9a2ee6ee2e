-- Which keys do authors get wrong, and is the line lost, or does a tolerant parser read it anyway?
-- Keywords: misspelt, misspelled, misspelt directives, typos, spelling, dissallow, mistakes in keys.
-- Denominator: hosts with a robots.txt (n); lines: over all hosts. Only a file's first 100 remarks are kept, so both
--   counts are lower bounds. tolerated: parsers such as Google's read the line, even without a colon; lost: no parser
--   does.
CREATE OR REPLACE MACRO misspellings(crawl := NULL, "by" := 'host', weights := NULL, top := 40) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    spellings AS (
        SELECT
            file_id,
            {
                -- The text before the colon; the first word if the colon is missing.
                'written': CASE
                    WHEN kind = 'missing_colon' THEN regexp_extract(lower(text), '[^\s]+') || ' (no colon)'
                    ELSE trim(replace(split_part(lower(text), ':', 1), chr(9), ' '))
                END,
                'fate': if(kind = 'misspelling', 'lost', 'tolerated')
            } AS part,
            count(*) AS lines,
            arg_min({'file_id': file_id, 'text': trim(text, ' ' || chr(9))}, line_number) AS example
        FROM remarks
        WHERE kind IN ('tolerated_spelling', 'misspelling', 'missing_colon')
        GROUP BY ALL
    )
    SELECT
        part.written AS written, part.fate AS fate,
        hosts, share AS pct_of_hosts_with_file, pct_low, pct_high, lines, example.text AS example,
        n, population, unit, shares.crawl, note
    FROM joined_shares('spellings', 'population', sums := ['lines'], least_of := ['example']) AS shares
    ORDER BY hosts DESC, written, fate
    LIMIT top;
