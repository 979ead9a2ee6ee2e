-- Which files are served by most hosts, byte by byte?
--
-- Topic: Size and structure.
-- Reproduces: templates of content management systems and platforms (Dinzinger's survey; vendor templates
--   of thunderbit's AI crawler study), by identity of the body.
-- Denominator: hosts, each once per crawl, with a file, whatever it is.
-- Parameters: crawl (the last one, by label), top (30), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO common_files(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    SELECT
        file_id,
        count(*) AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_hosts_with_file,
        count(DISTINCT url_host_registered_domain) AS domains,
        any_value(content_class) AS content_class,
        any_value(content_length) AS bytes,
        any_value(n_agents) AS agents,
        any_value(n_allow + n_disallow) AS rules,
        any_value(n_sitemaps) AS sitemaps,
        any_value(platform) AS platform,
        sum(count(*)) OVER ()::BIGINT AS n,
        'captured' AS population,
        "by" AS unit
    FROM host_files_by('captured', crawl, "by", weights)
    WHERE file_id IS NOT NULL
    GROUP BY file_id
    ORDER BY hosts DESC, file_id
    LIMIT top;
