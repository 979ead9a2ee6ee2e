-- Which directives beyond RFC 9309 come into use, crawl after crawl, and which go?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: use of extensions by year of the Web Almanac and of thunderbit's study, as a series.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
-- Parameters: directives (the 12 that most policies have).
CREATE OR REPLACE MACRO directives_over_time(directives VARCHAR[] := NULL) AS TABLE
    WITH chosen AS (
        SELECT lower(unnest(coalesce(directives, (
            SELECT list(directive) FROM (
                SELECT directive FROM directives
                GROUP BY directive ORDER BY count(DISTINCT policy_id) DESC, directive LIMIT 12
            )
        )))) AS directive
    ),
    crawled AS (
        SELECT crawl, policy_id, count(*) AS hosts FROM hosts WHERE has_lines GROUP BY ALL
    ),
    total AS (
        SELECT crawl, sum(hosts) AS hosts FROM crawled GROUP BY crawl
    ),
    used AS (
        SELECT crawl, directive, sum(hosts) AS hosts
        FROM crawled
        JOIN (
            SELECT DISTINCT policy_id, directive FROM directives
            WHERE directive IN (FROM chosen)
        ) USING (policy_id)
        GROUP BY ALL
    )
    SELECT
        directive,
        crawl,
        coalesce(used.hosts, 0)::BIGINT AS hosts,
        pct(coalesce(used.hosts, 0), total.hosts) AS pct_of_hosts_with_file,
        'with_file' AS population
    FROM total
    CROSS JOIN chosen AS asked
    LEFT JOIN used USING (crawl, directive)
    ORDER BY directive, crawl;
