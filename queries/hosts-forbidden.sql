-- Which hosts does RFC 9309, for which every 4xx allows all, count as allowed, but the 1996
-- draft, for which 401 and 403 disallow all, as blocked?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the share of hosts whose meaning turns on the reading of 4xx, by
--   status. Google's interpretation (429 disallows all) stands beside it.
-- Denominator: hosts with a captured robots.txt response in the crawl, by the latest response of each
--   scheme and port; a host counts in a row if any of these has the row's status.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO hosts_forbidden(crawl VARCHAR := NULL) AS TABLE
    WITH responses AS (
        SELECT url_host_name, fetch_status, access_koster1996, access_rfc9309, access_google
        FROM of_crawl('latest_captures', crawl)
        WHERE url_host_name IS NOT NULL
    ),
    total AS (
        SELECT count(DISTINCT url_host_name) AS hosts FROM responses
    )
    SELECT coalesce(fetch_status::VARCHAR, 'all') AS fetch_status,
        count(DISTINCT url_host_name) AS hosts,
        round(100.0 * count(DISTINCT url_host_name) / nullif(any_value(total.hosts), 0), 2) AS pct_of_hosts,
        count(DISTINCT url_host_name) FILTER (access_google = 'disallow_all') AS blocked_by_google_too
    FROM responses, total
    WHERE access_rfc9309 = 'allow_all' AND access_koster1996 = 'disallow_all'
    GROUP BY GROUPING SETS ((fetch_status), ())
    ORDER BY grouping(responses.fetch_status) DESC, hosts DESC;
