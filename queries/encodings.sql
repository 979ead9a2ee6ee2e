-- In which encodings and with which line ends are files written?
--
-- Topic: Responses.
-- Reproduces: invalid UTF-8 of Common Crawl's sitemap extraction; encodings, byte order marks and line ends
--   as parsers meet them.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO encodings(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    SELECT
        encoding,
        line_ending,
        count(*) AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_hosts_with_file,
        count(*) FILTER (has_nul) AS with_nul,
        max(max_line_length) AS longest_line_bytes,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM host_files_by('with_file', crawl, "by", weights)
    GROUP BY encoding, line_ending
    ORDER BY hosts DESC, encoding, line_ending;
