-- Which directives beyond RFC 9309 come into use, crawl after crawl, and which fall out of use?
-- Keywords: trend, new fields, extensions, Content-Signal, Host, Clean-param, years.
-- Reproduces: use of extensions by year (Web Almanac; thunderbit's study), as a series.
-- Denominator: hosts with a robots.txt (n).
-- Parameters: directives: by default, the 12 that the most policies have.
CREATE OR REPLACE MACRO directives_over_time(directives VARCHAR[] := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM all_hosts_by('with_file', "by", weights)),
    written AS MATERIALIZED (
        SELECT DISTINCT policy_id, directive AS part FROM directives SEMI JOIN population USING (policy_id)
    ),
    usual AS (SELECT part FROM written GROUP BY part ORDER BY count(*) DESC, part LIMIT 12),
    chosen AS MATERIALIZED (SELECT lower(unnest(coalesce(directives, (SELECT list(part) FROM usual)))) AS part),
    using_one AS (FROM written SEMI JOIN chosen USING (part))
    SELECT
        part AS directive, shares.crawl, hosts, share AS pct_of_hosts_with_file, pct_low, pct_high,
        n, population, unit, joined_notes([order_note(shares.crawl), note]) AS note
    FROM joined_shares('using_one', 'population', 'chosen') AS shares
    ORDER BY part, stratum;
