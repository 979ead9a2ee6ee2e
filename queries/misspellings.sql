-- Which keys do authors get wrong, and does it matter: does a tolerant parser take the line all the
-- same, or is it lost?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: no published table; Google's parser tolerates some misspellings, and this counts them
--   in the wild together with those that it does not.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n). Remarks are kept for the first 100 of a file, so counts of lines are lower bounds. Intervals
--   are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (40).
CREATE OR REPLACE MACRO misspellings(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT NULL AS stratum, file_id, cluster, hosts, weight, squares
        FROM hosts_by('with_file', crawl, "by", weights)
    ),
    found AS MATERIALIZED (
        SELECT
            file_id,
            -- The text before the colon; or the first word without a colon.
            CASE
                WHEN kind = 'missing_colon' THEN regexp_extract(lower(trim(text)), '^[^\s]+') || ' (no colon)'
                ELSE trim(split_part(lower(text), ':', 1))
            END AS written,
            if(kind = 'misspelling', 'lost', 'tolerated') AS fate,
            count(*) AS lines,
            arg_min(trim(text), line_number) AS example
        FROM remarks
        WHERE kind IN ('tolerated_spelling', 'misspelling', 'missing_colon')
        GROUP BY ALL
    ),
    misspelt AS MATERIALIZED (
        SELECT fate || chr(9) || written AS part, crawled.*, written, fate, lines, example
        FROM found
        JOIN crawled USING (file_id)
    ),
    most AS MATERIALIZED (
        SELECT
            written,
            fate,
            sum(hosts)::BIGINT AS hosts,
            sum(lines)::BIGINT AS lines,
            arg_min(example, file_id) AS example
        FROM misspelt
        GROUP BY ALL
        ORDER BY hosts DESC, written, fate
        LIMIT top
    )
    SELECT
        written,
        fate,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        lines,
        example,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM most
    JOIN shares_of('FROM misspelt', 'FROM crawled') ON part = fate || chr(9) || written
    ORDER BY hosts DESC, written, fate;
