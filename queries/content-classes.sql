-- What comes back as robots.txt: rules, nothing, a web page?
--
-- Topic: Responses.
-- Reproduces: "MIME not robots, no rules, with rules" of Common Crawl's robots.txt experiments,
--   judged by content and not by the server's media type, which stands beside it.
-- Denominator: hosts, each once per crawl, that answered with a file.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO content_classes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    SELECT
        content_class,
        count(*) AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_hosts_with_file,
        count(DISTINCT file_id) AS files,
        count(platform) AS platform_templates,
        count(*) FILTER (NOT is_valid_utf8) AS not_utf8,
        count(*) FILTER (encoding = 'utf-8-bom') AS with_bom,
        round(100.0 * sum(n_blank_lines) / nullif(sum(n_lines), 0), 1) AS pct_blank_lines,
        round(100.0 * sum(n_comment_lines) / nullif(sum(n_lines), 0), 1) AS pct_comment_lines,
        sum(count(*)) OVER ()::BIGINT AS n,
        'captured' AS population,
        "by" AS unit
    FROM host_files_by('captured', crawl, "by", weights)
    WHERE file_id IS NOT NULL
    GROUP BY content_class
    ORDER BY hosts DESC, content_class;
