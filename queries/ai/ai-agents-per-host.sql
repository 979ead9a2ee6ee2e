-- How many AI crawlers does one host block by name?
--
-- Keywords: histogram, distribution, number of AI bots, average.
-- Reproduces: the number of AI agents per site that underlie the mean of Steinacker-Olsztyn (2025),
--   as a histogram.
-- Denominator: hosts with a file that has rules (n); of pct_of_blocking and pct_or_more, those that
--   block at least one, and of these, those that block so many, or so many or more. blocked: no
--   path is allowed to an AI crawler of the catalogue by its own group.
CREATE OR REPLACE MACRO ai_agents_per_host(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT hosts.*, coalesce(agents_blocked, 0) AS part
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named USING (policy_id)
    ),
    blocking AS (FROM population WHERE part > 0),
    -- A host counts for every number up to its own.
    blocking_more AS (SELECT stratum, cluster, weight, unnest(range(1, part + 1)) AS part FROM blocking)
    SELECT
        part AS ai_agents_blocked,
        of_all.hosts,
        of_all.share AS pct_of_hosts_with_rules, of_all.low AS pct_low, of_all.high AS pct_high,
        exactly.share AS pct_of_blocking, exactly.low AS pct_of_blocking_low, exactly.high AS pct_of_blocking_high,
        or_more.share AS pct_or_more, or_more.low AS pct_or_more_low, or_more.high AS pct_or_more_high,
        of_all.n, of_all.population, of_all.unit, of_all.crawl, of_all.note
    FROM shares('population', 'population') AS of_all
    LEFT JOIN shares('blocking', 'blocking') AS exactly USING (part)
    LEFT JOIN shares('blocking_more', 'blocking') AS or_more USING (part)
    ORDER BY part;
