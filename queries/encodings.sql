-- In which encodings and with which line ends are files written?
--
-- Topic: Responses.
-- Reproduces: invalid UTF-8 of Common Crawl's sitemap extraction; encodings, byte order marks and line ends
--   as parsers meet them.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO encodings(crawl VARCHAR := NULL) AS TABLE
    SELECT
        encoding,
        line_ending,
        count(*) AS hosts,
        pct(count(*), sum(count(*)) OVER ()) AS pct_of_hosts_with_file,
        count(*) FILTER (has_nul) AS with_nul,
        max(max_line_length) AS longest_line_bytes
    FROM of_crawl('host_files', crawl)
    WHERE has_lines
    GROUP BY encoding, line_ending
    ORDER BY hosts DESC, encoding, line_ending;
