-- How many hosts have a robots.txt, crawl after crawl?
--
-- Topic: Responses.
-- Keywords: 404, adoption, missing robots.txt, trend, series, years, availability.
-- Reproduces: captures, valid files and adoption per year of Dinzinger's survey; captures per crawl
--   of Common Crawl's robots.txt experiments; status codes by year of the Web Almanac (SEO
--   chapter).
-- Denominator: hosts, each once per crawl, by the response that counts after redirects (see the
--   view hosts; n). captures are all responses to robots.txt URLs. with_rules and with_lines are
--   judged by content: a web page or an empty body does not count.
-- Intervals: see key-shares for shares of answers, crawl by crawl.
-- Parameters: by, weights.
CREATE OR REPLACE MACRO status_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS (FROM all_hosts_by('captured', "by", weights)),
    captured AS (
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
        pct(sum(if(response_class = 'success', weight, 0)), sum(weight)) AS pct_success,
        pct(sum(if(has_lines, weight, 0)), sum(weight)) AS pct_with_lines,
        pct(sum(if(has_rules, weight, 0)), sum(weight)) AS pct_with_rules,
        pct(sum(if(response_class = 'allow_all', weight, 0)), sum(weight)) AS pct_allow_all,
        pct(sum(if(response_class = 'forbidden', weight, 0)), sum(weight)) AS pct_forbidden,
        pct(sum(if(response_class = 'defer', weight, 0)), sum(weight)) AS pct_defer,
        pct(sum(if(response_class IN ('redirect', 'not_modified'), weight, 0)), sum(weight)) AS pct_unresolved,
        count(*) AS n,
        'captured' AS population,
        "by" AS unit,
        order_note(crawl) AS note
    FROM captured
    JOIN population USING (crawl)
    GROUP BY crawl
    ORDER BY crawl_number(crawl);
