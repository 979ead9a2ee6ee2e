-- How many captures lie how many redirects deep, crawl after crawl, and how many are successes or
-- redirect further?
--
-- Topic: Responses.
-- Reproduces: captures, status 200 and redirects by crawl and redirect depth of Common Crawl's
--   robots.txt experiments.
-- Denominator: requests (n), one for each robots.txt URL captured (the latest response of each origin in a
--   crawl) at depth 0, and one for each redirect followed to a capture of the same crawl at the depths
--   below: a target that several origins lead to counts for each.
-- Unit: requests, since a chain of redirects is a request's; hosts by where they end: status-over-time.
-- Intervals: none; those of status-classes.
-- Parameters: none.
CREATE OR REPLACE MACRO redirects_over_time() AS TABLE
    WITH several AS (
        SELECT resolved.*
        FROM resolved
        SEMI JOIN (FROM origins WHERE n_captures > 1) AS origins
            ON origins.crawl = resolved.crawl AND origins.origin = resolved.origin
    ),
    requests AS (
        -- The latest response is the only one, of most.
        SELECT crawl, n_redirects, ended, final_status, file_id FROM origins WHERE n_captures = 1
        UNION ALL
        SELECT crawl, n_redirects, ended, final_status, file_id
        FROM several
        QUALIFY row_number() OVER (
            PARTITION BY crawl, origin
            ORDER BY (-epoch_us(fetch_time), warc_filename, input_id, warc_record_offset, warc_record_inner_offset)
        ) = 1
    ),
    steps AS (
        -- Every depth before the last is a redirect; the last is what the chain ended with.
        SELECT crawl, unnest(range(n_redirects + 1)) AS depth, n_redirects, ended, final_status, file_id FROM requests
    )
    SELECT
        crawl,
        depth,
        count(*) FILTER (depth = n_redirects AND response_class(final_status, file_id) = 'success') AS successes,
        count(*) FILTER (depth < n_redirects OR response_class(final_status, NULL) = 'redirect') AS redirects,
        count(*) FILTER (depth < n_redirects) AS redirects_followed,
        count(*) FILTER (depth = n_redirects AND ended = 'not_captured') AS targets_not_captured,
        pct(count(*) FILTER (depth = n_redirects AND response_class(final_status, file_id) = 'success'), count(*)) AS pct_successes,
        count(*) AS n,
        'requests at the depth' AS population,
        'request' AS unit
    FROM steps
    GROUP BY crawl, depth
    ORDER BY crawl, depth;
