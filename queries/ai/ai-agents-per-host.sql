-- How many AI crawlers does one host block by name?
--
-- Keywords: histogram, distribution, number of AI bots, average.
-- Reproduces: the number of AI agents per site that underlie the mean of Steinacker-Olsztyn (2025),
--   as a histogram.
-- Denominator: hosts with a file that has rules (n). blocked: no path is allowed to an AI crawler
--   of the catalogue by its own group.
CREATE OR REPLACE MACRO ai_agents_per_host(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT hosts.*, coalesce(agents_blocked, 0) AS part
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named USING (policy_id)
    )
    SELECT
        part AS ai_agents_blocked,
        hosts,
        share AS pct_of_hosts_with_rules, low AS pct_low, high AS pct_high,
        n, population, unit, shares.crawl, note
    FROM shares('population', 'population') AS shares
    ORDER BY part;
