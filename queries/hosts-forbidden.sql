-- Which hosts does RFC 9309, for which every 4xx allows all, count as allowed, but the 1996
-- draft, for which 401 and 403 disallow all, as blocked?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the share of hosts whose answer depends on how 4xx is read, by
--   status. Google's interpretation (429 disallows all) stands beside it.
-- Denominator: hosts with a captured robots.txt response in the crawl (n), by the latest response of
--   each scheme and port; a host counts in a row if any of these has the row's status. Intervals are
--   those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1; weight), weights (path of a
--   CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO hosts_forbidden(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT url_host_name, cluster, hosts, weight, squares FROM hosts_by('captured', crawl, "by", weights)
    ),
    forbidding AS MATERIALIZED (
        SELECT DISTINCT
            url_host_name,
            unnest(['all', fetch_status::VARCHAR]) AS part,
            access_google = 'disallow_all' AS blocked_by_google
        FROM latest_captures_in(crawl)
        WHERE access_rfc9309 = 'allow_all' AND access_koster1996 = 'disallow_all'
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, hosts, weight, squares
            FROM (SELECT DISTINCT url_host_name, part FROM forbidding) JOIN crawled USING (url_host_name)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM crawled'
        )
    )
    SELECT
        part AS fetch_status,
        count(DISTINCT url_host_name) AS hosts,
        any_value(share) AS pct_of_hosts,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(DISTINCT url_host_name) FILTER (blocked_by_google) AS blocked_by_google_too,
        (SELECT count(*) FROM crawled) AS n,
        'captured' AS population,
        "by" AS unit
    FROM forbidding
    JOIN crawled USING (url_host_name)
    JOIN shares USING (part)
    GROUP BY part
    ORDER BY part = 'all' DESC, hosts DESC, part;
