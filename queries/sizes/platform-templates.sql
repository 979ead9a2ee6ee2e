-- How much of what hosts say about AI crawlers do platforms say for them?
--
-- Topic: Size and structure.
-- Keywords: CMS, Shopify, Wix, Squarespace, Cloudflare managed, default.
-- Reproduces: the share of a vendor's managed template of thunderbit's AI crawler study (4.5% of
--   files).
-- Denominator: hosts, each once per crawl, with a file that has rules (n); shares but the first are
--   of the row's hosts. template: files of which a platform wrote a part (files.platform), whatever
--   the owner added; own: the others. owner-choices tells who wrote the blocks themselves. AI
--   agents are those of the catalogue; blocking: no path open, by name.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO platform_templates(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (if(platform IS NULL, 'own', 'template') AS stratum),
            named.policy_id IS NOT NULL AS names_one,
            blocked
        FROM host_files_by('with_rules', crawl, "by", weights) AS hosts
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id
    ),
    blocking AS (SELECT *, true AS part FROM population WHERE blocked > 0),
    counted AS (
        SELECT
            stratum,
            pct(sum(if(names_one, weight, 0)), sum(weight)) AS pct_naming,
            round(avg(blocked) FILTER (blocked > 0), 2) AS mean_blocked,
            count(DISTINCT policy_id) AS policies
        FROM population
        GROUP BY stratum
    )
    SELECT
        stratum AS made_by,
        n AS hosts_with_rules,
        pct(total_weight, sum(total_weight) OVER ()) AS pct_of_hosts_with_rules,
        pct_naming AS pct_naming_ai_agents,
        share AS pct_blocking_ai_agents,
        low AS pct_blocking_low,
        high AS pct_blocking_high,
        mean_blocked AS mean_ai_agents_blocked,
        policies,
        sum(hosts_with_rules) OVER ()::BIGINT AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('blocking', 'population', 'one_part') AS shares
    JOIN counted USING (stratum)
    ORDER BY made_by;
