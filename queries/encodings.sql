-- In which encodings and with which line ends are files written?
--
-- Topic: Responses.
-- Reproduces: invalid UTF-8 of Common Crawl's sitemap extraction; encodings, byte order marks and line ends
--   as parsers meet them.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
--   Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO encodings(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            encoding || ' ' || line_ending AS part,
            cluster,
            hosts,
            weight,
            squares,
            encoding,
            line_ending,
            has_nul,
            max_line_length
        FROM host_files_by('with_file', crawl, "by", weights)
    )
    SELECT
        encoding,
        line_ending,
        count(*) AS hosts,
        any_value(share) AS pct_of_hosts_with_file,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(*) FILTER (has_nul) AS with_nul,
        max(max_line_length) AS longest_line_bytes,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM crawled
    JOIN shares_of('FROM crawled', 'FROM crawled') USING (part)
    GROUP BY encoding, line_ending
    ORDER BY hosts DESC, encoding, line_ending;
