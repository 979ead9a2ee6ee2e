-- Which user agents do sites name, in the columns of the Web Almanac?
-- Keywords: published, comparison, HTTP Archive, Web Almanac, replication, user agents.
-- Reproduces: robots-txt-user-agent-usage of the SEO chapter (2025), without client: user_agent,
--   sites, pct (a fraction).
-- Denominator: hosts captured (n), whatever they answered. user_agent: the text of a line, in lower case. HTTP Archive
--   counts only names to which its script gives a record; grouping-errors counts the consequences.
-- Unit: hosts; HTTP Archive counts sites. Intervals: none; see agent-adoption, over hosts with rules.
CREATE OR REPLACE MACRO http_archive_agents(crawl := NULL, min_sites := 20) AS TABLE
    WITH sites AS MATERIALIZED (
        SELECT policy_id, count(*) AS sites, sum(count(*)) OVER ()::BIGINT AS n
        FROM hosts_in('captured', crawl)
        GROUP BY policy_id
    )
    SELECT
        user_agent, sum(sites)::BIGINT AS sites, round(sum(sites) / n, 6) AS pct,
        n, 'captured' AS population, 'host' AS unit, known_crawl(crawl) AS crawl
    FROM (SELECT DISTINCT policy_id, lower(unnest(user_agents)) AS user_agent FROM groups)
    JOIN sites USING (policy_id)
    WHERE user_agent <> ''
    GROUP BY user_agent, n
    HAVING sum(sites) >= min_sites
    ORDER BY sites DESC, user_agent;
