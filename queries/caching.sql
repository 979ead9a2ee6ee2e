-- What do servers say about caching a robots.txt, and for how long may it be used?
--
-- Topic: Responses.
-- Reproduces: nothing published; caching of RFC 9309, 2.4 (at most 24 hours unless the headers say
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
        SELECT position, says, holds, max_age
        FROM answers, LATERAL (VALUES
            (1, 'Cache-Control', cache_control IS NOT NULL),
            (2, 'Cache-Control: max-age', max_age IS NOT NULL),
            (3, 'Cache-Control: no-store', coalesce(contains(cache_control, 'no-store'), false)),
            (4, 'Cache-Control: no-cache', coalesce(contains(cache_control, 'no-cache'), false)),
            (5, 'Cache-Control: private', coalesce(contains(cache_control, 'private'), false)),
            (6, 'max-age over 24 hours', coalesce(max_age > 86400, false)),
            (7, 'Expires', http_expires IS NOT NULL),
            (8, 'ETag', http_etag IS NOT NULL),
            (9, 'Last-Modified', http_last_modified IS NOT NULL),
            (10, 'ETag or Last-Modified', http_etag IS NOT NULL OR http_last_modified IS NOT NULL),
            (11, 'nothing of these',
                coalesce(cache_control, http_expires, http_etag, http_last_modified) IS NULL),
            (12, 'usable for 0 seconds', coalesce(freshness_seconds = 0, false)),
            (13, 'usable for up to an hour', coalesce(freshness_seconds BETWEEN 1 AND 3600, false)),
            (14, 'usable for up to a day', coalesce(freshness_seconds BETWEEN 3601 AND 86399, false)),
            (15, 'usable for a day, also by default', coalesce(freshness_seconds >= 86400, false))
        ) AS statements(position, says, holds)
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
