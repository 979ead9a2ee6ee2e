-- How many hosts answer 401 or 403, which allows all under RFC 9309, but nothing under the 1996 draft?
-- Keywords: 403, 401, 4xx, access denied, status, WAF, firewall.
-- Denominator: hosts captured (n). A host counts in a row if the latest response of any of its origins has the status.
CREATE OR REPLACE MACRO hosts_forbidden(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('captured', crawl, "by", weights)),
    forbidding AS (
        SELECT
            url_host_name, coalesce(fetch_status::VARCHAR, 'all') AS part,
            bool_or(access_google = 'disallow_all') AS blocked_by_google_too
        FROM of_crawl('latest_captures', crawl)
        WHERE access_rfc9309 = 'allow_all' AND access_koster1996 = 'disallow_all'
        GROUP BY GROUPING SETS ((url_host_name), (url_host_name, fetch_status))
    )
    SELECT
        part AS fetch_status, hosts, share AS pct_of_hosts, pct_low, pct_high,
        blocked_by_google_too, n, population, unit, shares.crawl, note
    FROM joined_shares('forbidding', 'population', sums := ['blocked_by_google_too']) AS shares
    ORDER BY part = 'all' DESC, hosts DESC, part;
