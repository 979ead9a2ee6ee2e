-- Which mistakes do robots.txt files have, and how often?
--
-- Topic: Rules, directives and mistakes.
-- Keywords: errors, invalid, malformed, syntax, problems, quality, validation.
-- Reproduces: robots.txt problems of thunderbit's study; invalid lines of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. A
--   file counts once for each kind of remark that it has; remarks are kept for the first 100 of a
--   file, so that lines are lower bounds. `robostat inspect --help` explains the kinds.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO mistakes(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    remarked AS (
        SELECT file_id, kind AS part, count(*) AS lines, min(trim(text)) AS example FROM remarks GROUP BY ALL
    ),
    mistaken AS MATERIALIZED (FROM population JOIN remarked USING (file_id)),
    counted AS (
        SELECT
            part,
            count(DISTINCT file_id) AS files,
            sum(lines)::BIGINT AS lines,
            left(min(example), 60) AS example
        FROM mistaken
        GROUP BY part
    )
    SELECT
        part AS kind,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        files,
        lines,
        example,
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('mistaken', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY hosts DESC, kind;
