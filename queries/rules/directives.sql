-- Which directives, known or unknown, do robots.txt files use beyond user-agent, allow, disallow and sitemap?
-- Keywords: fields, extensions, keys, Host, Clean-param, Crawl-delay, noindex in robots.txt, unknown, unsupported,
--   invented, nonstandard, custom fields.
-- Reproduces: unsupported directives in HTTP Archive, for Google's parser (2026); extensions in thunderbit's study.
-- Denominator: hosts with a robots.txt (n); pages in which crawlers find no rules are left out, because their
--   markup would count.
-- Parameters: kind: known (to some crawler or proposal), unknown, or misspelling (of a known directive).
CREATE OR REPLACE MACRO directives(crawl := NULL, "by" := 'host', weights := NULL, kind := NULL, top := 40) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    lines AS MATERIALIZED (
        SELECT
            population.*, directive AS part, value,
            CASE WHEN is_known THEN 'known' WHEN is_typo THEN 'misspelling' ELSE 'unknown' END AS kind_of_line
        FROM population JOIN directives USING (policy_id)
    ),
    using_one AS (SELECT DISTINCT ON (url_host_name, part) * FROM lines),
    counts AS (
        SELECT
            part, min(kind_of_line) AS kind_of_directive,
            count(DISTINCT policy_id) AS policies,
            count(*) AS lines,
            left(mode(value ORDER BY value), 40) AS usual_value
        FROM lines
        GROUP BY part
    )
    SELECT
        part AS directive, kind_of_directive AS kind,
        hosts, share AS pct_of_hosts_with_file, pct_low, pct_high, policies, lines, usual_value,
        n, population, unit, shares.crawl, note
    FROM shares('using_one', 'population') AS shares
    JOIN counts USING (part)
    WHERE kind IS NULL OR kind_of_directive = one_of(kind, ['known', 'unknown', 'misspelling'], 'kind')
    ORDER BY hosts DESC, part
    LIMIT top;
