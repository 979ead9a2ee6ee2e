-- How many captures lie how many redirects deep, crawl after crawl, and how many are successes or
-- redirect further?
--
-- Topic: Responses.
-- Keywords: 301, 302, 3xx, trend, hops, years.
-- Reproduces: captures, status 200 and redirects by crawl and redirect depth of Common Crawl's
--   robots.txt experiments.
-- Denominator: requests (n), one for each robots.txt URL captured (the latest response of each
--   origin in a crawl) at depth 0, and one for each redirect followed to a capture of the same
--   crawl at the depths below: a target that several origins lead to counts for each.
-- Unit: requests, since a chain of redirects is a request's; hosts by where they end:
--   status-over-time.
-- Intervals: none; see status-classes.
-- Parameters: none.
CREATE OR REPLACE MACRO redirects_over_time() AS TABLE
    WITH requests AS (
        SELECT
            crawl,
            n_redirects,
            ended,
            response_class(final_status, file_id) = 'success' AS is_success,
            response_class(final_status, NULL) = 'redirect' AS is_redirect,
            count(*) AS requests
        FROM latest_resolved
        GROUP BY ALL
    ),
    steps AS (
        -- Every depth before the last is a redirect; the last is what the chain ended with.
        SELECT *, unnest(range(n_redirects + 1)) AS depth, depth = n_redirects AS is_last FROM requests
    ),
    counted AS (
        SELECT
            crawl,
            depth,
            coalesce(sum(requests) FILTER (is_last AND is_success), 0)::BIGINT AS successes,
            coalesce(sum(requests) FILTER (NOT is_last OR is_redirect), 0)::BIGINT AS redirects,
            coalesce(sum(requests) FILTER (NOT is_last), 0)::BIGINT AS redirects_followed,
            coalesce(sum(requests) FILTER (is_last AND ended = 'not_captured'), 0)::BIGINT AS targets_not_captured,
            sum(requests)::BIGINT AS n
        FROM steps
        GROUP BY crawl, depth
    )
    SELECT
        crawl,
        depth,
        successes,
        redirects,
        redirects_followed,
        targets_not_captured,
        pct(successes, n) AS pct_successes,
        n,
        'requests at the depth' AS population,
        'request' AS unit,
        order_note(crawl) AS note
    FROM counted
    ORDER BY crawl_number(crawl), depth;
