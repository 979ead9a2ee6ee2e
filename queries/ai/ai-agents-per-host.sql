-- How many AI crawlers does one host block by name?
-- Keywords: histogram, distribution, number of AI bots, average.
-- Reproduces: the mean number of AI agents per site (Steinacker-Olsztyn 2025), as a histogram.
-- Denominator: hosts with rules, or only those that block at least one AI crawler (n). blocked: the crawler's own group
--   allows no path.
-- Parameters: hosts_that ('have_rules' or 'block_one'); most: hosts that block this many or more share one row.
CREATE OR REPLACE MACRO ai_agents_per_host(
    hosts_that := 'have_rules', most INTEGER := NULL, crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (if(hosts_that = 'block_one', 'blocking an AI crawler', population) AS population),
            least(coalesce(agents_blocked, 0), most) AS part
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named USING (policy_id)
        WHERE one_of(hosts_that, ['have_rules', 'block_one'], 'hosts_that') = 'have_rules' OR agents_blocked > 0
    ),
    numbers AS (SELECT unnest(range(
        if(hosts_that = 'block_one', 1, 0), if(most < 1, error('most takes a number from 1, not ' || most), most + 1)
    )) AS part)
    SELECT
        part AS ai_agents_blocked, hosts, share AS pct_of_hosts, pct_low, pct_high,
        n, population, unit, shares.crawl,
        joined_notes([if(part = most, most || ' or more AI crawlers', NULL), note]) AS note
    FROM shares('population', 'population', 'numbers') AS shares
    ORDER BY part;
