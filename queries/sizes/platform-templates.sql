-- How much of what hosts say about AI crawlers do platforms say for them?
--
-- Keywords: CMS, Shopify, Wix, Squarespace, Cloudflare managed, default.
-- Reproduces: the share of a vendor's managed template of thunderbit's AI crawler study (4.5% of
--   files).
-- Denominator: hosts with rules (n); shares but the first are of the row's hosts. template: files of
--   which a platform wrote a part, whatever the owner added (owner-choices shows who wrote the
--   blocks); own: the others. blocking: an AI crawler of the catalogue has no path, by name.
CREATE OR REPLACE MACRO platform_templates(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (if(platform IS NULL, 'own', 'template') AS stratum),
            true AS part, named.policy_id IS NOT NULL AS names_one, agents_blocked
        FROM host_files_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id
    ),
    blocking AS (FROM population WHERE agents_blocked > 0),
    counts AS (
        SELECT
            stratum,
            pct(sum(if(names_one, weight, 0)), sum(weight)) AS pct_naming_ai_agents,
            round(avg(agents_blocked) FILTER (agents_blocked > 0), 2) AS mean_ai_agents_blocked,
            count(DISTINCT policy_id) AS policies
        FROM population
        GROUP BY stratum
    )
    SELECT
        stratum AS made_by,
        n AS hosts_with_rules, pct(total_weight, sum(total_weight) OVER ()) AS pct_of_hosts_with_rules,
        pct_naming_ai_agents, share AS pct_blocking_ai_agents, low AS pct_blocking_low, high AS pct_blocking_high,
        mean_ai_agents_blocked, policies,
        sum(shares.n) OVER ()::BIGINT AS n, population, unit, shares.crawl, note
    FROM shares('blocking', 'population', 'one_part') AS shares
    JOIN counts USING (stratum)
    ORDER BY made_by;
