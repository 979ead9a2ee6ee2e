-- Which crawlers do hosts name, crawl after crawl?
-- Keywords: user agents, trend, series, years, mentioned, growth.
-- Reproduces: agents by year (Common Crawl's robots.txt experiments); top tokens per year (Dinzinger's survey).
-- Denominator: hosts whose file has rules (n), in each crawl.
CREATE OR REPLACE MACRO agent_adoption_over_time(agents := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM all_hosts_by('with_rules', "by", weights)),
    chosen AS MATERIALIZED (SELECT unnest(chosen_agents(agents, 10)) AS part),
    naming AS (SELECT policy_id, product_token AS part FROM agents WHERE product_token IN (FROM chosen))
    SELECT
        part AS product_token, crawl, hosts, share AS pct_of_hosts_with_rules, pct_low, pct_high,
        n, population, unit, joined_notes([announcement_of(part, crawl), order_note(crawl), note]) AS note
    FROM joined_shares('naming', 'population', 'chosen') AS shares
    ORDER BY part, stratum;
