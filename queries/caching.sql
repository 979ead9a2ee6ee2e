-- What do servers say about caching a robots.txt, and for how long may it be used?
--
-- Topic: Responses.
-- Reproduces: nothing published; caching of RFC 9309 §2.4 (at most 24 hours unless the headers say
--   more) over a corpus.
-- Denominator: successful captures with a file, the latest of each origin (n); redirects are not followed.
--   Each row is a share of all of them, so that rows overlap. freshness is that of
--   captures.freshness_seconds.
-- Unit: origins (scheme, host and port), since headers are a server's.
-- Intervals: none; a few servers and networks write most of these headers, which domains do not show.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO caching(crawl VARCHAR := NULL) AS TABLE
    WITH answers AS (
        SELECT
            freshness_seconds,
            lower(http_cache_control) AS cache_control,
            http_expires,
            http_etag,
            http_last_modified,
            try_cast(regexp_extract(lower(http_cache_control), '(?:^|[,\s])max-age\s*=\s*"?([0-9]{1,12})', 1) AS BIGINT) AS max_age
        FROM of_crawl('latest_captures', crawl)
        WHERE file_id IS NOT NULL
    ),
    told AS (
        SELECT
            max_age,
            unnest([
                {'position': 1, 'says': 'Cache-Control', 'holds': cache_control IS NOT NULL},
                {'position': 2, 'says': 'Cache-Control: max-age', 'holds': max_age IS NOT NULL},
                {'position': 3, 'says': 'Cache-Control: no-store', 'holds': coalesce(contains(cache_control, 'no-store'), false)},
                {'position': 4, 'says': 'Cache-Control: no-cache', 'holds': coalesce(contains(cache_control, 'no-cache'), false)},
                {'position': 5, 'says': 'Cache-Control: private', 'holds': coalesce(contains(cache_control, 'private'), false)},
                {'position': 6, 'says': 'max-age over 24 hours', 'holds': coalesce(max_age > 86400, false)},
                {'position': 7, 'says': 'Expires', 'holds': http_expires IS NOT NULL},
                {'position': 8, 'says': 'ETag', 'holds': http_etag IS NOT NULL},
                {'position': 9, 'says': 'Last-Modified', 'holds': http_last_modified IS NOT NULL},
                {'position': 10, 'says': 'ETag or Last-Modified', 'holds': http_etag IS NOT NULL OR http_last_modified IS NOT NULL},
                {'position': 11, 'says': 'nothing of these', 'holds': coalesce(cache_control, http_expires, http_etag, http_last_modified) IS NULL},
                {'position': 12, 'says': 'usable for 0 seconds', 'holds': coalesce(freshness_seconds = 0, false)},
                {'position': 13, 'says': 'usable for up to an hour', 'holds': coalesce(freshness_seconds BETWEEN 1 AND 3600, false)},
                {'position': 14, 'says': 'usable for up to a day', 'holds': coalesce(freshness_seconds BETWEEN 3601 AND 86399, false)},
                {'position': 15, 'says': 'usable for a day, also by default', 'holds': coalesce(freshness_seconds >= 86400, false)}
            ], recursive := true)
        FROM answers
    )
    SELECT
        says,
        count(*) FILTER (holds) AS origins,
        pct(count(*) FILTER (holds), count(*)) AS pct_of_origins,
        quantile_disc(max_age, 0.5) FILTER (holds) AS median_max_age_seconds,
        count(*) AS n,
        'origins with a body' AS population,
        'origin' AS unit
    FROM told
    GROUP BY position, says
    ORDER BY position;
