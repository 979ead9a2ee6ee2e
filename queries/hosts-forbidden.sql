-- Which hosts does RFC 9309, for which every 4xx allows all, count as allowed, but the 1996
-- draft, for which 401 and 403 disallow all, as blocked?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the share of hosts whose answer depends on how 4xx is read, by
--   status. Google's interpretation (429 disallows all) is given too.
-- Denominator: hosts with a captured robots.txt response in the crawl (n), by the latest response of
--   each scheme and port; a host counts in a row if any of these has the row's status. 95%
--   intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO hosts_forbidden(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS (
        SELECT NULL AS stratum, cluster, hosts, weight, squares FROM hosts_by('captured', crawl, "by", weights)
    ),
    forbidding AS (
        SELECT url_host_name, part, bool_or(access_google = 'disallow_all') AS blocked_by_google
        FROM (
            SELECT url_host_name, access_google, unnest(['all', fetch_status::VARCHAR]) AS part
            FROM latest_captures_in(crawl)
            WHERE access_rfc9309 = 'allow_all' AND access_koster1996 = 'disallow_all'
        )
        GROUP BY ALL
    ),
    found AS MATERIALIZED (
        SELECT NULL AS stratum, part, cluster, hosts, weight, squares, blocked_by_google
        FROM hosts_by('captured', crawl, "by", weights)
        JOIN forbidding USING (url_host_name)
    ),
    counted AS (
        SELECT part, count(*) AS hosts, count(*) FILTER (blocked_by_google) AS blocked_by_google_too
        FROM found
        GROUP BY part
    )
    SELECT
        part AS fetch_status,
        hosts,
        share AS pct_of_hosts,
        low AS pct_low,
        high AS pct_high,
        blocked_by_google_too,
        population_size('captured', crawl) AS n,
        'captured' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    JOIN shares_of('FROM found', 'FROM crawled') USING (part)
    ORDER BY part = 'all' DESC, hosts DESC, part;
