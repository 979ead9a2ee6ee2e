-- How many hosts have a robots.txt, crawl after crawl?
--
-- Topic: Responses.
-- Reproduces: captures, valid files and adoption per year of Dinzinger's survey; captures per crawl of
--   Common Crawl's robots.txt experiments; status codes by year of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, by the response that counts after redirects (see the view
--   hosts). captures are all responses to robots.txt URLs. with_rules and with_lines are judged by
--   content: what is a web page, or nothing, is no robots.txt.
-- Parameters: none.
CREATE OR REPLACE MACRO status_over_time() AS TABLE
    WITH counted AS (
        SELECT crawl, count(*) AS captures, min(fetch_time) AS first_capture, max(fetch_time) AS last_capture
        FROM captures
        WHERE is_robotstxt_url
        GROUP BY crawl
    )
    SELECT
        crawl,
        strftime(any_value(first_capture) AT TIME ZONE 'UTC', '%Y-%m-%d') AS first_day,
        strftime(any_value(last_capture) AT TIME ZONE 'UTC', '%Y-%m-%d') AS last_day,
        any_value(captures) AS captures,
        count(*) AS hosts,
        pct(count(*) FILTER (response_class = 'success'), count(*)) AS pct_success,
        pct(count(*) FILTER (has_lines), count(*)) AS pct_with_lines,
        pct(count(*) FILTER (has_rules), count(*)) AS pct_with_rules,
        pct(count(*) FILTER (response_class = 'allow_all'), count(*)) AS pct_allow_all,
        pct(count(*) FILTER (response_class = 'forbidden'), count(*)) AS pct_forbidden,
        pct(count(*) FILTER (response_class = 'defer'), count(*)) AS pct_defer,
        pct(count(*) FILTER (response_class IN ('redirect', 'not_modified')), count(*)) AS pct_unresolved
    FROM counted
    JOIN hosts USING (crawl)
    GROUP BY crawl
    ORDER BY crawl;
