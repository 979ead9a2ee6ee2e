-- What encodings and line endings do files use?
-- Keywords: UTF-8, BOM, charset, line endings, CRLF, Unicode.
-- Reproduces: invalid UTF-8 (Common Crawl's sitemap extraction), with byte order marks and line endings.
-- Denominator: hosts with a robots.txt (n).
CREATE OR REPLACE MACRO encodings(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT *, {'encoding': encoding, 'line_ending': line_ending} AS part
        FROM host_files_by('with_file', crawl, "by", weights)
    )
    SELECT
        part.encoding AS encoding, part.line_ending AS line_ending, hosts, share AS pct_of_hosts_with_file,
        pct_low, pct_high, has_nul AS with_nul, max_line_length AS longest_line_bytes,
        n, population, unit, shares.crawl, note
    FROM summed_shares('population', 'population', sums := ['has_nul'], greatest_of := ['max_line_length']) AS shares
    ORDER BY hosts DESC, encoding, line_ending;
