-- Which status codes do robots.txt requests get?
-- Keywords: 5xx, 4xx, 200, 404, 403, 500, 503, HTTP, server errors.
-- Reproduces: status codes of robots.txt requests in the Web Almanac (SEO chapter).
-- Denominator: origins (scheme, host and port), each by its latest capture in the crawl (n); redirects are counted as
--   such and not followed. The Almanac counts final answers: to compare, group by final_status in the view hosts.
-- Unit: origins (scheme, host and port), since servers set the status. Intervals: none; see status-classes.
CREATE OR REPLACE MACRO status_codes(crawl := NULL, top := 30) AS TABLE
    SELECT
        fetch_status,
        response_class(fetch_status, if(n_redirects = 0, file_id, NULL)) AS response_class,
        count(*) AS origins,
        pct(count(*), sum(count(*)) OVER ()) AS pct_of_origins,
        sum(count(*)) OVER ()::BIGINT AS n, 'origins captured' AS population, 'origin' AS unit,
        known_crawl(crawl) AS crawl
    FROM of_crawl('latest_resolved', crawl)
    GROUP BY ALL
    ORDER BY origins DESC, fetch_status
    LIMIT top;
