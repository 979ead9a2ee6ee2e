-- What is the corpus: how many captures, hosts, files and policies, from when to when?
--
-- Topic: Responses.
-- Reproduces: the description of the corpus that every study begins with; captures per crawl of
--   Common Crawl's robots.txt experiments.
-- Denominator: none; a row for each crawl, and one without a label for all of them together. captures
--   are all responses; hosts, domains, files and policies are those of robots.txt URLs, each
--   counted once in a row. Days are UTC.
-- Parameters: none.
CREATE OR REPLACE MACRO corpus() AS TABLE
    SELECT
        crawl,
        strftime(min(fetch_time) AT TIME ZONE 'UTC', '%Y-%m-%d') AS first_day,
        strftime(max(fetch_time) AT TIME ZONE 'UTC', '%Y-%m-%d') AS last_day,
        count(*) AS captures,
        count(*) FILTER (is_robotstxt_url) AS robotstxt_captures,
        count(DISTINCT url_host_name) FILTER (is_robotstxt_url) AS hosts,
        count(DISTINCT url_host_registered_domain) FILTER (is_robotstxt_url) AS domains,
        count(DISTINCT file_id) FILTER (is_robotstxt_url) AS files,
        count(DISTINCT policy_id) FILTER (is_robotstxt_url) AS policies
    FROM captures
    GROUP BY GROUPING SETS ((crawl), ())
    ORDER BY crawl NULLS LAST;
