-- How many requests are at each redirect depth, crawl after crawl, and how many succeed or redirect
-- further?
-- Keywords: redirects, 301, 302, 3xx, trend, hops, years.
-- Reproduces: captures, status 200 and redirects by crawl and redirect depth (Common Crawl's experiments).
-- Denominator: requests (n): in each crawl, the latest request to each origin, and each request that a redirect led to.
-- Unit: requests, since a chain of redirects belongs to a request. Intervals: none; see status-classes, by hosts.
CREATE OR REPLACE MACRO redirects_over_time() AS TABLE
    WITH requests AS (
        -- Every depth before the last is a redirect; the last is the end of the chain.
        SELECT
            crawl,
            unnest(range(n_redirects + 1)) AS depth,
            depth < n_redirects AS is_followed,
            depth = n_redirects AND response_class(final_status, file_id) = 'success' AS is_success,
            is_followed OR response_class(final_status, NULL) = 'redirect' AS is_redirect,
            NOT is_followed AND ended = 'not_captured' AS is_not_captured
        FROM latest_resolved
    )
    SELECT
        crawl, depth,
        count(*) FILTER (is_success) AS successes,
        count(*) FILTER (is_redirect) AS redirects,
        count(*) FILTER (is_followed) AS redirects_followed,
        count(*) FILTER (is_not_captured) AS targets_not_captured,
        pct(successes, count(*)) AS pct_successes,
        count(*) AS n, 'requests at the depth' AS population, 'request' AS unit, order_note(crawl) AS note
    FROM requests
    GROUP BY crawl, depth
    ORDER BY crawl_number(crawl), depth;
