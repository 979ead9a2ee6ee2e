-- What is the corpus: how many captures, hosts, files and policies, from when to when?
--
-- Topic: Responses.
-- Keywords: dataset, overview, summary, number of captures, dates, size of the crawl.
-- Reproduces: the description of the corpus that every study begins with; captures per crawl of
--   Common Crawl's robots.txt experiments.
-- Denominator: none; a row for each crawl, and one without a label for all of them together.
--   captures are all responses; hosts, domains, files and policies are those of robots.txt URLs,
--   each counted once in a row. Days are UTC.
-- Parameters: none.
CREATE OR REPLACE MACRO corpus() AS TABLE
    WITH fetched AS (
        SELECT
            crawl,
            min(fetch_time) AS first_time,
            max(fetch_time) AS last_time,
            count(*) AS captures,
            count(*) FILTER (is_robotstxt_url) AS robotstxt_captures
        FROM captures
        GROUP BY GROUPING SETS ((crawl), ())
    ),
    -- What is distinct in each crawl, and then in all of them: far less has to be compared.
    hosts_of AS (
        SELECT
            crawl,
            count(*) AS hosts,
            -- Hosts without a number are alone in their domain.
            count(*) FILTER (domain_number IS NULL) + count(DISTINCT domain_number) AS domains
        FROM hosts
        GROUP BY crawl
        UNION ALL
        SELECT NULL, count(DISTINCT url_host_name), count(DISTINCT domain) FROM hosts
    ),
    -- Crawls by number: in so many groups the text would take more than the ids.
    files_of AS MATERIALIZED (
        SELECT crawl_number(crawl) AS number, file_id, any_value(policy_id) AS policy_id
        FROM captures
        WHERE is_robotstxt_url AND file_id IS NOT NULL
        GROUP BY ALL
    ),
    policies_of AS MATERIALIZED (SELECT DISTINCT number, policy_id FROM files_of),
    counted AS (
        SELECT crawl_labels()[number] AS crawl, 'files' AS counts, count(*) AS n FROM files_of GROUP BY number
        UNION ALL
        SELECT NULL, 'files', count(DISTINCT file_id) FROM files_of
        UNION ALL
        SELECT crawl_labels()[number], 'policies', count(policy_id) FROM policies_of GROUP BY number
        UNION ALL
        SELECT NULL, 'policies', count(DISTINCT policy_id) FROM policies_of
    )
    SELECT
        fetched.crawl,
        strftime(utc(any_value(first_time)), '%Y-%m-%d') AS first_day,
        strftime(utc(any_value(last_time)), '%Y-%m-%d') AS last_day,
        any_value(captures) AS captures,
        any_value(robotstxt_captures) AS robotstxt_captures,
        coalesce(any_value(hosts), 0) AS hosts,
        coalesce(any_value(domains), 0) AS domains,
        coalesce(any_value(n) FILTER (counts = 'files'), 0) AS files,
        coalesce(any_value(n) FILTER (counts = 'policies'), 0) AS policies,
        order_note(fetched.crawl) AS note
    FROM fetched
    LEFT JOIN hosts_of ON hosts_of.crawl IS NOT DISTINCT FROM fetched.crawl
    LEFT JOIN counted ON counted.crawl IS NOT DISTINCT FROM fetched.crawl
    GROUP BY fetched.crawl
    ORDER BY crawl_number(fetched.crawl) NULLS LAST;
