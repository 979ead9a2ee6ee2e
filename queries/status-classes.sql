-- What became of the requests for robots.txt: rules, no rules, forbidden, errors?
--
-- Topic: Responses.
-- Reproduces: status classes of Common Crawl's robots.txt experiments; share of hosts with a valid
--   robots.txt of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, by the response that counts after redirects (see the
--   views origins and hosts: success before allow_all before forbidden before defer before
--   redirect). 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO status_classes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH of_clusters AS (
        SELECT
            cluster,
            response_class,
            content_class,
            final_status,
            file_id IS NULL AS is_unknown,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM host_files_by('captured', crawl, "by", weights)
        GROUP BY ALL
    ),
    named AS MATERIALIZED (
        SELECT
            *,
            NULL AS stratum,
            CASE
                WHEN response_class <> 'success' THEN NULL
                WHEN content_class = 'rules' THEN 'rules'
                WHEN content_class IN ('no_rules', 'empty') OR final_status = 204 THEN 'no rules'
                WHEN is_unknown THEN 'unknown'
                ELSE 'not a robots.txt'
            END AS content,
            response_class || coalesce(' ' || content, '') AS part
        FROM of_clusters
    ),
    counted AS (
        SELECT
            part,
            any_value(response_class) AS response_class,
            any_value(content) AS content,
            sum(hosts)::BIGINT AS hosts,
            list_sort(list(DISTINCT final_status::VARCHAR)) AS statuses
        FROM named
        GROUP BY part
    )
    SELECT
        response_class,
        content,
        hosts,
        share AS pct_of_hosts,
        low AS pct_low,
        high AS pct_high,
        nullif(array_to_string(statuses, ' '), '') AS statuses,
        sum(hosts) OVER ()::BIGINT AS n,
        'captured' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    JOIN shares_of('FROM named', 'FROM named') USING (part)
    ORDER BY hosts DESC, response_class, content;
