-- How many hosts state preferences about use, crawl after crawl, in which vocabulary?
--
-- Topic: Preferences.
-- Reproduces: spread of content signals of Cloudflare's reports, of licences and TDM reservations of
--   maango.io's survey, as a series.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like). In the file, or in headers of the response (see the view host_signals);
--   denying: of some use.
-- Parameters: none.
CREATE OR REPLACE MACRO preferences_over_time() AS TABLE
    WITH total AS (
        SELECT crawl, count(*) AS hosts FROM hosts WHERE is_settled GROUP BY crawl
    ),
    stated AS (
        SELECT
            crawl,
            vocabulary,
            count(DISTINCT url_host_name) AS hosts,
            count(DISTINCT url_host_name) FILTER (source = 'robots.txt') AS hosts_in_file,
            count(DISTINCT url_host_name) FILTER (source = 'header') AS hosts_in_headers,
            count(DISTINCT url_host_name) FILTER (NOT allows) AS hosts_denying
        FROM host_signals
        GROUP BY ALL
    )
    SELECT
        vocabulary,
        crawl,
        coalesce(stated.hosts, 0) AS hosts,
        pct(coalesce(stated.hosts, 0), total.hosts) AS pct_of_hosts,
        coalesce(hosts_in_file, 0) AS hosts_in_file,
        coalesce(hosts_in_headers, 0) AS hosts_in_headers,
        coalesce(hosts_denying, 0) AS hosts_denying
    FROM total
    CROSS JOIN (VALUES ('content-signal'), ('content-usage'), ('license'), ('llm-policy'), ('tdm')) AS known(vocabulary)
    LEFT JOIN stated USING (crawl, vocabulary)
    ORDER BY vocabulary, crawl;
