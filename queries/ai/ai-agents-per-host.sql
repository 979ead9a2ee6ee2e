-- How many AI crawlers does one host block by name?
--
-- Topic: AI crawlers together.
-- Keywords: histogram, distribution, number of AI bots, average.
-- Reproduces: the number of AI agents per site that underlie the mean of Steinacker-Olsztyn (2025),
--   as a histogram.
-- Denominator: hosts, each once per crawl, with a file that has rules. AI agents are those of the
--   catalogue; blocked: no path is allowed to the agent by its own group.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO ai_agents_per_host(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT hosts.*, coalesce(blocked, 0) AS part
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id
    )
    SELECT
        part AS ai_agents_blocked,
        hosts,
        share AS pct_of_hosts_with_rules,
        low AS pct_low,
        high AS pct_high,
        n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('population', 'population') AS shares
    ORDER BY part;
