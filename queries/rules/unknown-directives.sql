-- Which directives do hosts write that no crawler or proposal is known to read?
--
-- Topic: Rules, directives and mistakes.
-- Keywords: unsupported, invented, nonstandard, noise, custom fields.
-- Reproduces: most used unknown directives of HTTP Archive, from which the list of unsupported tags
--   of Google's parser was made (2026).
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
--   Evident misspellings of known directives are left out (see misspellings.sql).
-- Parameters: crawl, top (50), by, weights.
CREATE OR REPLACE MACRO unknown_directives(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 50
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    used AS (
        SELECT policy_id, directive AS part, count(*) AS lines, min(value) AS value
        FROM directives
        WHERE NOT is_known AND NOT is_typo
        GROUP BY ALL
    ),
    writing AS MATERIALIZED (
        SELECT population.*, part, lines, value FROM population JOIN used USING (policy_id)
    ),
    counted AS (
        SELECT
            part,
            count(DISTINCT policy_id) AS policies,
            sum(lines)::BIGINT AS lines,
            left(min(value), 40) AS a_value
        FROM writing
        GROUP BY part
    )
    SELECT
        part AS directive,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        policies,
        lines,
        a_value,
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('writing', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY hosts DESC, directive
    LIMIT top;
