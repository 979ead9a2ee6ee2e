-- Which content is served as robots.txt: rules, nothing, a web page?
-- Keywords: HTML, html instead of robots.txt, empty, soft 404, error page, valid, binary.
-- Reproduces: "MIME not robots, no rules, with rules" of Common Crawl's experiments, by content and not media type.
-- Denominator: hosts with success and a body, whatever it is (n); pct_blank_lines, pct_comment_lines: of their lines.
CREATE OR REPLACE MACRO content_classes(crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT *, content_class AS part FROM host_files_by('with_body', crawl, "by", weights)
    ),
    counts AS (
        SELECT
            part,
            count(DISTINCT file_id) AS files,
            count(platform) AS hosts_with_template,
            count(*) FILTER (NOT is_valid_utf8) AS not_utf8,
            count(*) FILTER (encoding = 'utf-8-bom') AS with_bom,
            round(100.0 * sum(n_blank_lines) / nullif(sum(n_lines), 0), 1) AS pct_blank_lines,
            round(100.0 * sum(n_comment_lines) / nullif(sum(n_lines), 0), 1) AS pct_comment_lines
        FROM population
        GROUP BY part
    )
    SELECT
        part AS content_class, hosts, share AS pct_of_hosts_with_body, low AS pct_low, high AS pct_high,
        counts.* EXCLUDE (part),
        n, population, unit, shares.crawl, note
    FROM shares('population', 'population') AS shares
    JOIN counts USING (part)
    ORDER BY hosts DESC, content_class;
