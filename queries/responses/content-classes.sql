-- Which content is served as robots.txt: rules, nothing, a web page?
--
-- Topic: Responses.
-- Keywords: HTML, empty, soft 404, error page, valid, binary.
-- Reproduces: "MIME not robots, no rules, with rules" of Common Crawl's robots.txt experiments,
--   judged by content and not by the server's media type, which is given too.
-- Denominator: hosts, each once per crawl, that answered with a file, whatever it is (n); of
--   pct_blank_lines and pct_comment_lines the lines of these files.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO content_classes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT *, content_class AS part FROM host_files_by('with_body', crawl, "by", weights)
    ),
    counted AS (
        SELECT
            part,
            count(DISTINCT file_id) AS files,
            count(platform) AS platform_templates,
            count(*) FILTER (NOT is_valid_utf8) AS not_utf8,
            count(*) FILTER (encoding = 'utf-8-bom') AS with_bom,
            round(100.0 * sum(n_blank_lines) / nullif(sum(n_lines), 0), 1) AS pct_blank_lines,
            round(100.0 * sum(n_comment_lines) / nullif(sum(n_lines), 0), 1) AS pct_comment_lines
        FROM population
        GROUP BY part
    )
    SELECT
        part AS content_class,
        hosts,
        share AS pct_of_hosts_with_body,
        low AS pct_low,
        high AS pct_high,
        counted.* EXCLUDE (part),
        n,
        'with a body' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('population', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY hosts DESC, content_class;
