-- How many captures, hosts, files and policies does the corpus have, over what period?
-- Keywords: dataset, overview, summary, number of captures, dates, size of the crawl, crawls.
-- Reproduces: the corpus that every study begins with; captures per crawl (Common Crawl's experiments).
-- Denominator: none; a row for each crawl, and one without a label for all together. captures are all responses; hosts,
--   domains, files and policies are from robots.txt URLs, each counted once in a row. Days are UTC. damaged_records:
--   damaged byte ranges, whose captures may be missing; damaged_inputs: inputs with such ranges.
CREATE OR REPLACE MACRO corpus() AS TABLE
    WITH of_captures AS (
        SELECT
            crawl,
            strftime(utc(min(fetch_time)), '%Y-%m-%d') AS first_day,
            strftime(utc(max(fetch_time)), '%Y-%m-%d') AS last_day,
            count(*) AS captures,
            count(*) FILTER (is_robotstxt_url) AS robotstxt_captures,
            count(DISTINCT file_id) FILTER (is_robotstxt_url) AS files,
            count(DISTINCT policy_id) FILTER (is_robotstxt_url) AS policies
        FROM captures
        GROUP BY ROLLUP (crawl)
    ),
    of_hosts AS (
        SELECT crawl, count(*) AS hosts, count(DISTINCT domain) AS domains FROM hosts GROUP BY crawl
        UNION ALL
        SELECT NULL, count(DISTINCT url_host_name), count(DISTINCT domain) FROM hosts
    ),
    of_inputs AS (
        SELECT
            crawl, sum(damaged_records)::BIGINT AS damaged_records, count(*) FILTER (damaged_records > 0) AS damaged_inputs
        FROM inputs
        -- The inputs of the chosen crawls, and of crawls without a capture, which have no row.
        WHERE list_contains(crawl_labels(), crawl) OR crawl NOT IN (SELECT crawl FROM inputs WHERE captures > 0)
        GROUP BY ROLLUP (crawl)
    )
    SELECT
        crawls.crawl, first_day, last_day, captures, robotstxt_captures,
        coalesce(COLUMNS(of_hosts.* EXCLUDE (crawl)), 0), files, policies,
        coalesce(COLUMNS(of_inputs.* EXCLUDE (crawl)), 0), order_note(crawls.crawl) AS note
    FROM of_captures AS crawls
    LEFT JOIN of_hosts ON of_hosts.crawl IS NOT DISTINCT FROM crawls.crawl
    LEFT JOIN of_inputs ON of_inputs.crawl IS NOT DISTINCT FROM crawls.crawl
    ORDER BY crawl_number(crawls.crawl) NULLS LAST;
