-- Which content is served as robots.txt: rules, nothing, a web page?
-- Keywords: HTML, html instead of robots.txt, empty, soft 404, error page, valid, binary.
-- Reproduces: "MIME not robots, no rules, with rules" (Common Crawl's experiments), by content, not media type.
-- Denominator: hosts with a successful response and a body of any kind (n); pct_blank_lines, pct_comment_lines: of all
--   lines of these bodies.
CREATE OR REPLACE MACRO content_classes(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            *, content_class AS part, platform IS NOT NULL AS hosts_with_template, NOT is_valid_utf8 AS not_utf8,
            encoding = 'utf-8-bom' AS with_bom
        FROM host_files_by('with_body', crawl, "by", weights)
    )
    SELECT
        part AS content_class, hosts, share AS pct_of_hosts_with_body, pct_low, pct_high,
        file_id AS files, hosts_with_template, not_utf8, with_bom,
        round(100.0 * n_blank_lines / nullif(n_lines, 0), 1) AS pct_blank_lines,
        round(100.0 * n_comment_lines / nullif(n_lines, 0), 1) AS pct_comment_lines,
        n, population, unit, shares.crawl, note
    FROM summed_shares(
        'population', 'population', distinct_of := ['file_id'],
        sums := ['hosts_with_template', 'not_utf8', 'with_bom', 'n_lines', 'n_blank_lines', 'n_comment_lines']
    ) AS shares
    ORDER BY hosts DESC, content_class;
