-- Which directives beyond user-agent, allow, disallow and sitemap do robots.txt files use, known to
-- anyone or not?
--
-- Topic: Rules, directives and mistakes.
-- Keywords: fields, extensions, keys, Host, Clean-param, Crawl-delay, noindex in robots.txt.
-- Reproduces: the count of unsupported directives in HTTP Archive that underlies the list of
--   Google's parser (2026); use of extensions in thunderbit's study.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n); pages served in its place are left out, or their markup would be counted.
-- Parameters: crawl, by, weights, top (40).
CREATE OR REPLACE MACRO directives(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    lines AS MATERIALIZED (
        SELECT stratum, cluster, weight, url_host_name, directive AS part, value, is_known, is_typo
        FROM population
        JOIN directives USING (policy_id)
    ),
    using_one AS (SELECT DISTINCT stratum, cluster, weight, url_host_name, part FROM lines),
    written AS (
        SELECT
            part, value, count(*) AS lines, bool_or(is_known) AS is_known, bool_or(is_typo) AS is_typo
        FROM lines
        GROUP BY ALL
    ),
    counted AS (
        SELECT
            part,
            CASE
                WHEN bool_or(is_known) THEN 'known' WHEN bool_or(is_typo) THEN 'misspelling' ELSE 'unknown'
            END AS kind,
            sum(lines)::BIGINT AS lines,
            left(arg_min(value, (-lines, value)), 40) AS usual_value
        FROM written
        GROUP BY part
    )
    SELECT
        part AS directive,
        kind,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        lines,
        usual_value,
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('using_one', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY hosts DESC, part
    LIMIT top;
