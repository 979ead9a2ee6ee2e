-- Which crawlers do hosts name in their robots.txt?
-- Keywords: user agents, popular, mentioned, addressed, most named bots.
-- Reproduces: most frequent user agents (Web Almanac; Dinzinger's survey; Common Crawl's experiments).
-- Denominator: hosts of the population (n); for pct_of_captured, all hosts captured, whatever they answered.
--   hosts_with_rules: hosts with rules for the agent, which Common Crawl calls addressed.
CREATE OR REPLACE MACRO agent_adoption(
    agents := NULL, crawl := NULL, population := 'with_rules', "by" := 'host', weights := NULL, top := 30
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by(population, crawl, "by", weights)),
    naming AS MATERIALIZED (
        SELECT population.*, product_token AS part, user_agent_raw, n_rules > 0 AS hosts_with_rules
        FROM population JOIN agents USING (policy_id)
        WHERE has_rules AND (agents IS NULL OR list_contains(known_tokens(agents), product_token))
    ),
    spelt AS (SELECT part, mode(user_agent_raw ORDER BY user_agent_raw) AS usual_spelling FROM naming GROUP BY part)
    SELECT
        part AS product_token, usual_spelling, hosts, hosts_with_rules, domains, share AS pct_named, pct_low, pct_high,
        pct(hosts, population_size('captured', crawl)) AS pct_of_captured,
        n, shares.population, unit, shares.crawl,
        joined_notes([announcement_of(part, shares.crawl), by_domain.note, shares.note]) AS note
    FROM summed_shares('naming', 'population', sums := ['hosts_with_rules']) AS shares
    JOIN spelt USING (part)
    JOIN domain_counts('naming', 'population') AS by_domain USING (part)
    ORDER BY weight DESC, part
    LIMIT top;
