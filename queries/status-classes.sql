-- What became of the requests for robots.txt: rules, no rules, forbidden, errors?
--
-- Topic: Responses.
-- Reproduces: status classes of Common Crawl's robots.txt experiments; share of hosts with a valid
--   robots.txt of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, by the response that counts after redirects (see the
--   views origins and hosts: success before allow_all before forbidden before defer before
--   redirect). Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO status_classes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            response_class,
            CASE
                WHEN response_class <> 'success' THEN NULL
                WHEN content_class = 'rules' THEN 'rules'
                WHEN content_class IN ('no_rules', 'empty') OR final_status = 204 THEN 'no rules'
                WHEN file_id IS NULL THEN 'unknown'
                ELSE 'not a robots.txt'
            END AS content,
            response_class || coalesce(' ' || content, '') AS part,
            final_status,
            cluster,
            hosts,
            weight,
            squares
        FROM host_files_by('captured', crawl, "by", weights)
    )
    SELECT
        response_class,
        content,
        count(*) AS hosts,
        any_value(share) AS pct_of_hosts,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        string_agg(DISTINCT final_status::VARCHAR, ' ' ORDER BY final_status::VARCHAR) AS statuses,
        population_size('captured', crawl) AS n,
        'captured' AS population,
        "by" AS unit
    FROM crawled
    JOIN shares_of('FROM crawled', 'FROM crawled') USING (part)
    GROUP BY response_class, content
    ORDER BY hosts DESC, response_class, content;
