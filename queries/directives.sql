-- Which directives beyond user-agent, allow, disallow and sitemap do robots.txt files use, known to
-- anyone or not?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: the count of unsupported directives in HTTP Archive behind the list of Google's parser
--   (2026); use of extensions in thunderbit's study.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines;
--   pages served in its place are left out, or their markup would be counted.
-- Parameters: crawl (the last one, by label), top (40).
CREATE OR REPLACE MACRO directives(crawl VARCHAR := NULL, top INTEGER := 40) AS TABLE
    WITH crawled AS (
        SELECT url_host_name, hosts.policy_id
        FROM hosts_in('with_file', crawl) AS hosts
    )
    SELECT
        directive,
        CASE WHEN bool_or(is_known) THEN 'known' WHEN bool_or(is_typo) THEN 'misspelling' ELSE 'unknown' END AS kind,
        count(DISTINCT url_host_name) AS hosts,
        round(100.0 * count(DISTINCT url_host_name) / (SELECT count(*) FROM crawled), 2) AS pct_of_hosts_with_file,
        count(*) AS lines,
        left(mode(value ORDER BY value), 40) AS usual_value,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM crawled
    JOIN directives USING (policy_id)
    GROUP BY directive
    ORDER BY hosts DESC, directive
    LIMIT top;
