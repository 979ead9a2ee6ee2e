-- How many hosts state preferences about use, crawl after crawl, in which vocabulary?
--
-- Topic: Preferences.
-- Reproduces: spread of content signals of Cloudflare's reports, of licences and TDM reservations of
--   maango.io's survey, as a series.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like; n). In the file, or in headers of the response (see the view stated_signals);
--   denying: of some use. 95% intervals, with registrable domains as clusters.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a
--   CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO preferences_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT crawl_number(crawl) AS stratum, url_host_name, cluster, hosts, weight, squares
        FROM query('FROM ' || all_hosts_sql('answered', "by", weights))
    ),
    total AS (
        SELECT stratum, count(*) AS n FROM crawled GROUP BY stratum
    ),
    stating AS (
        SELECT
            crawl_number(crawl) AS stratum,
            url_host_name,
            vocabulary,
            bool_or(source = 'robots.txt') AS in_file,
            bool_or(source = 'header') AS in_headers,
            bool_or(coalesce(NOT allows, false)) AS denies
        FROM stated_signals
        GROUP BY ALL
    ),
    counted AS MATERIALIZED (
        SELECT crawled.stratum, vocabulary AS part, cluster, hosts, weight, squares, in_file, in_headers, denies
        FROM stating
        JOIN crawled ON crawled.stratum = stating.stratum AND crawled.url_host_name = stating.url_host_name
    ),
    vocabularies AS (
        SELECT unnest(['content-signal', 'content-usage', 'license', 'llm-policy', 'tdm']) AS part
    ),
    stated AS (
        SELECT
            stratum,
            part,
            count(*) AS hosts,
            count(*) FILTER (in_file) AS hosts_in_file,
            count(*) FILTER (in_headers) AS hosts_in_headers,
            count(*) FILTER (denies) AS hosts_denying
        FROM counted
        GROUP BY ALL
    )
    SELECT
        vocabulary,
        crawl_labels()[total.stratum] AS crawl,
        coalesce(hosts, 0) AS hosts,
        share AS pct_of_hosts,
        low AS pct_low,
        high AS pct_high,
        coalesce(hosts_in_file, 0) AS hosts_in_file,
        coalesce(hosts_in_headers, 0) AS hosts_in_headers,
        coalesce(hosts_denying, 0) AS hosts_denying,
        n,
        'answered' AS population,
        "by" AS unit,
        joined_notes(order_note(crawl_labels()[total.stratum]), shares.note) AS note
    FROM total
    CROSS JOIN (SELECT part AS vocabulary FROM vocabularies)
    LEFT JOIN stated ON stated.stratum = total.stratum AND stated.part = vocabulary
    LEFT JOIN shares_of('FROM counted', 'FROM crawled', 'FROM vocabularies') AS shares
        ON shares.stratum = total.stratum AND shares.part = vocabulary
    ORDER BY vocabulary, total.stratum;
