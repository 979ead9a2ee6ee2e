-- How much of what hosts say about AI crawlers do platforms say for them?
--
-- Topic: Size and structure.
-- Reproduces: the share of a vendor's managed template of thunderbit's AI crawler study (4.5 % of files).
-- Denominator: hosts, each once per crawl, with a file that has rules; shares are of the row's hosts.
--   A file counts as a template if it bears the mark of a platform's managed block (files:
--   is_platform_template). AI agents are those of the catalogue; blocking: no path open, by name.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO platform_templates(crawl VARCHAR := NULL) AS TABLE
    WITH named AS (
        SELECT policy_id, count(*) AS agents, count(*) FILTER (restriction = 'full') AS blocked
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        GROUP BY policy_id
    )
    SELECT
        if(is_platform_template, 'template', 'own') AS made_by,
        count(*) AS hosts_with_rules,
        pct(count(*), sum(count(*)) OVER ()) AS pct_of_hosts_with_rules,
        pct(count(named.policy_id), count(*)) AS pct_naming_ai_agents,
        pct(count(*) FILTER (blocked > 0), count(*)) AS pct_blocking_ai_agents,
        round(avg(blocked) FILTER (blocked > 0), 2) AS mean_ai_agents_blocked,
        count(DISTINCT host_files.policy_id) AS policies
    FROM of_crawl('host_files', crawl) AS host_files
    LEFT JOIN named ON named.policy_id = host_files.policy_id
    WHERE has_rules
    GROUP BY is_platform_template
    ORDER BY is_platform_template;
