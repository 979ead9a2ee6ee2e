-- How do servers limit the caching of a robots.txt, and for how long may it be used?
-- Keywords: cache-control, expires, max-age, ETag, refetch, freshness.
-- Denominator: origins whose latest capture is not a redirect and has a file (n). Rows overlap; rows `usable for` are
--   by freshness_seconds.
-- Unit: origins (scheme, host and port). Intervals: none; a few servers and networks write most of these headers.
CREATE OR REPLACE MACRO caching(crawl := NULL) AS TABLE
    WITH answers AS (
        SELECT
            *,
            lower(http_cache_control) AS cache_control,
            try_cast(regexp_extract(cache_control, '(?:^|[,\s])max-age\s*=\s*"?([0-9]{1,12})', 1) AS BIGINT) AS max_age
        FROM of_crawl('latest_captures', crawl)
        WHERE file_id IS NOT NULL
    ),
    counts AS (
        SELECT count(*) AS n, unnest([
            counted_where('Cache-Control', cache_control IS NOT NULL, max_age),
            counted_where('Cache-Control: max-age', max_age IS NOT NULL, max_age),
            counted_where('Cache-Control: no-store', contains(cache_control, 'no-store'), max_age),
            counted_where('Cache-Control: no-cache', contains(cache_control, 'no-cache'), max_age),
            counted_where('Cache-Control: private', contains(cache_control, 'private'), max_age),
            counted_where('max-age over 24 hours', max_age > 86400, max_age),
            counted_where('Expires', http_expires IS NOT NULL, max_age),
            counted_where('ETag', http_etag IS NOT NULL, max_age),
            counted_where('Last-Modified', http_last_modified IS NOT NULL, max_age),
            counted_where('ETag or Last-Modified', coalesce(http_etag, http_last_modified) IS NOT NULL, max_age),
            counted_where(
                'nothing of these', coalesce(cache_control, http_expires, http_etag, http_last_modified) IS NULL, max_age
            ),
            counted_where('usable for 0 seconds', freshness_seconds = 0, max_age),
            counted_where('usable for up to an hour', freshness_seconds BETWEEN 1 AND 3600, max_age),
            counted_where('usable for up to a day', freshness_seconds BETWEEN 3601 AND 86399, max_age),
            counted_where('usable for a day, also by default', freshness_seconds >= 86400, max_age)
        ], recursive := true)
        FROM answers
    )
    SELECT
        says,
        if(header_note(crawl) IS NULL, counted, NULL) AS origins,
        if(header_note(crawl) IS NULL, pct(counted, n), NULL) AS pct_of_origins,
        median AS median_max_age_seconds,
        n, 'origins with a body' AS population, 'origin' AS unit, known_crawl(crawl) AS crawl, header_note(crawl) AS note
    FROM counts
    WHERE n > 0;
