-- In which encodings and with which line ends are files written?
--
-- Topic: Responses.
-- Keywords: UTF-8, BOM, charset, line endings, CRLF, Unicode.
-- Reproduces: invalid UTF-8 of Common Crawl's sitemap extraction; encodings, byte order marks and
--   line ends as parsers meet them.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO encodings(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT *, {'encoding': encoding, 'line_ending': line_ending} AS part
        FROM host_files_by('with_file', crawl, "by", weights)
    ),
    counted AS (
        SELECT part, count(*) FILTER (has_nul) AS with_nul, max(max_line_length) AS longest_line_bytes
        FROM population
        GROUP BY part
    )
    SELECT
        part.encoding AS encoding,
        part.line_ending AS line_ending,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        with_nul,
        longest_line_bytes,
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('population', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY hosts DESC, encoding, line_ending;
