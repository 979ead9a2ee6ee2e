-- Which media type is robots.txt served with, and does it match the content?
-- Keywords: content-type, MIME, text/plain, text/html, html instead of robots.txt, header.
-- Reproduces: "MIME not robots" (Common Crawl's experiments), by media type; content types (Web Almanac).
-- Denominator: origins whose latest capture is a success with a file (n); redirects are not followed. robotstxt:
--   origins that serve rules or other robots.txt lines, by content. usual_charset: the most frequent charset among
--   captures that name one.
-- Unit: origins (scheme, host and port), since servers set media types. Intervals: none; see content-classes.
CREATE OR REPLACE MACRO media_types(crawl := NULL, top := 25) AS TABLE
    SELECT
        coalesce(content_mime_type, missing) AS media_type,
        count(*) AS origins, pct(count(*), sum(count(*)) OVER ()) AS pct_of_origins,
        count(*) FILTER (content_class IN ('rules', 'no_rules')) AS robotstxt,
        count(*) FILTER (content_class = 'empty') AS empty_files,
        count(*) FILTER (content_class = 'html') AS html,
        count(*) FILTER (content_class IN ('binary', 'compressed', 'other')) AS other,
        coalesce(mode(content_charset ORDER BY content_charset), missing) AS usual_charset,
        sum(count(*)) OVER ()::BIGINT AS n, 'origins with a body' AS population, 'origin' AS unit,
        known_crawl(crawl) AS crawl, header_note(crawl) AS note
    FROM of_crawl('latest_captures', crawl)
    JOIN files USING (file_id)
    CROSS JOIN (SELECT if(header_note(crawl) IS NULL, '(none)', '(not known)') AS missing)
    GROUP BY content_mime_type, missing
    ORDER BY origins DESC, media_type
    LIMIT top;
