-- Which content is served as robots.txt: rules, nothing, a web page?
--
-- Topic: Responses.
-- Reproduces: "MIME not robots, no rules, with rules" of Common Crawl's robots.txt experiments,
--   judged by content and not by the server's media type, which is given too.
-- Denominator: hosts, each once per crawl, that answered with a file, whatever it is (n); of
--   pct_blank_lines and pct_comment_lines the lines of these files. 95% intervals, with
--   registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO content_classes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            content_class AS part,
            cluster,
            hosts,
            weight,
            squares,
            file_id,
            platform,
            is_valid_utf8,
            encoding,
            n_lines,
            n_blank_lines,
            n_comment_lines
        FROM weighed_hosts(
            'captured',
            'file_id IS NOT NULL AND crawl = ' || sql_text(known_crawl(crawl)),
            "by",
            weights
        )
    )
    SELECT
        part AS content_class,
        count(*) AS hosts,
        any_value(share) AS pct_of_hosts_with_body,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(DISTINCT file_id) AS files,
        count(platform) AS platform_templates,
        count(*) FILTER (NOT is_valid_utf8) AS not_utf8,
        count(*) FILTER (encoding = 'utf-8-bom') AS with_bom,
        round(100.0 * sum(n_blank_lines) / nullif(sum(n_lines), 0), 1) AS pct_blank_lines,
        round(100.0 * sum(n_comment_lines) / nullif(sum(n_lines), 0), 1) AS pct_comment_lines,
        sum(count(*)) OVER ()::BIGINT AS n,
        'with a body' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM crawled
    JOIN shares_of('FROM crawled', 'FROM crawled') USING (part)
    GROUP BY part
    ORDER BY hosts DESC, content_class;
