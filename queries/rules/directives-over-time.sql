-- Which directives beyond RFC 9309 come into use, crawl after crawl, and which go?
--
-- Topic: Rules, directives and mistakes.
-- Keywords: trend, new fields, extensions, Content-Signal, Host, Clean-param, years.
-- Reproduces: use of extensions by year of the Web Almanac and of thunderbit's study, as a series.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n).
-- Parameters: directives (the 12 that most policies have), by, weights.
CREATE OR REPLACE MACRO directives_over_time(
    directives VARCHAR[] := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM all_hosts_by('with_file', "by", weights)),
    written AS MATERIALIZED (
        SELECT DISTINCT policy_id, directive AS part
        FROM directives
        WHERE policy_id IN (SELECT policy_id FROM population)
    ),
    usual AS (
        SELECT list(part ORDER BY policies DESC, part)[:12] AS parts
        FROM (SELECT part, count(*) AS policies FROM written GROUP BY part)
    ),
    chosen AS MATERIALIZED (
        SELECT lower(unnest(coalesce(directives, (SELECT parts FROM usual)))) AS part
    ),
    using_one AS (
        SELECT population.*, part FROM population JOIN written USING (policy_id) WHERE part IN (FROM chosen)
    )
    SELECT
        part AS directive,
        crawl_labels()[stratum] AS crawl,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        n,
        'with_file' AS population,
        "by" AS unit,
        joined_notes([order_note(crawl_labels()[stratum]), note]) AS note
    FROM shares('using_one', 'population', 'chosen') AS shares
    ORDER BY part, stratum;
