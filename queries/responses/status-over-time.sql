-- How many hosts have a robots.txt, crawl after crawl?
--
-- Keywords: 404, adoption, missing robots.txt, trend, series, years, availability.
-- Reproduces: captures, valid files and adoption per year of Dinzinger's survey; captures per crawl
--   of Common Crawl's robots.txt experiments; status codes by year of the Web Almanac (SEO
--   chapter).
-- Denominator: hosts (n), by the response that counts after redirects (view hosts). captures are
--   all responses to robots.txt URLs. with_rules and with_lines are judged by content: a web page
--   or an empty body does not count.
-- Intervals: see key-shares for shares of answers, crawl by crawl.
CREATE OR REPLACE MACRO status_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH captured AS (
        SELECT
            crawl,
            strftime(utc(min(fetch_time)), '%Y-%m-%d') AS first_day,
            strftime(utc(max(fetch_time)), '%Y-%m-%d') AS last_day,
            count(*) AS captures
        FROM captures
        WHERE is_robotstxt_url
        GROUP BY crawl
    )
    SELECT
        crawl, first_day, last_day, captures,
        pct(sum(if(response_class = 'success', weight, 0)), sum(weight)) AS pct_success,
        pct(sum(if(has_lines, weight, 0)), sum(weight)) AS pct_with_lines,
        pct(sum(if(has_rules, weight, 0)), sum(weight)) AS pct_with_rules,
        pct(sum(if(response_class = 'allow_all', weight, 0)), sum(weight)) AS pct_allow_all,
        pct(sum(if(response_class = 'forbidden', weight, 0)), sum(weight)) AS pct_forbidden,
        pct(sum(if(response_class = 'defer', weight, 0)), sum(weight)) AS pct_defer,
        pct(sum(if(response_class IN ('redirect', 'not_modified'), weight, 0)), sum(weight)) AS pct_unresolved,
        count(*) AS n, 'captured' AS population, "by" AS unit, order_note(crawl) AS note
    FROM captured
    JOIN all_hosts_by('captured', "by", weights) USING (crawl)
    GROUP BY crawl, first_day, last_day, captures
    ORDER BY crawl_number(crawl);
