-- Which hosts answer 401 or 403, after which RFC 9309 allows all, and the 1996 draft disallows all?
-- Keywords: 403, 401, 4xx, access denied, status, WAF, firewall.
-- Reproduces: nothing published; hosts whose answer depends on the reading of 4xx, and Google's (429 disallows all).
-- Denominator: hosts with a captured robots.txt response (n), by the latest response of each scheme and port; a host
--   counts in a row if any of these has the row's status.
CREATE OR REPLACE MACRO hosts_forbidden(crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('captured', crawl, "by", weights)),
    refusals AS (
        SELECT url_host_name, unnest(['all', fetch_status::VARCHAR]) AS part, access_google
        FROM latest_captures_in(crawl)
        WHERE access_rfc9309 = 'allow_all' AND access_koster1996 = 'disallow_all'
    ),
    forbidding AS (
        SELECT url_host_name, part, bool_or(access_google = 'disallow_all') AS blocked_by_google_too
        FROM refusals
        GROUP BY ALL
    )
    SELECT
        part AS fetch_status, hosts, share AS pct_of_hosts, low AS pct_low, high AS pct_high,
        blocked_by_google_too, n, population, unit, shares.crawl, note
    FROM joined_shares('forbidding', 'population', sums := ['blocked_by_google_too']) AS shares
    ORDER BY part = 'all' DESC, hosts DESC, part;
