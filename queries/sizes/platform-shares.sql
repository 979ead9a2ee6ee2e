-- Which platforms write robots.txt files, or blocks in them, and what do owners add?
--
-- Topic: Size and structure.
-- Keywords: CMS, WordPress, Shopify, Wix, Squarespace, Cloudflare, hosting, generator.
-- Reproduces: the share of a vendor's managed template of thunderbit's AI crawler study (4.5% of
--   files), for every platform that is known.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n). A host counts once for each platform that wrote a part of its file. version: null for all
--   versions together. untouched: the owner added no rule; changed: the platform is known, but no
--   group is as it writes them; blocking: an AI agent of the catalogue has no path open, by name,
--   because of a group of this platform; these three are shares of the row's hosts.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO platform_shares(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_file', crawl, "by", weights)),
    blocking AS (
        SELECT DISTINCT file_id, platform
        FROM file_groups
        JOIN agents
            ON agents.policy_id = file_groups.policy_id AND list_contains(product_tokens, agents.product_token)
        WHERE platform IS NOT NULL AND restriction = 'full'
            AND product_token IN (SELECT product_token FROM agent_catalog WHERE is_ai)
    ),
    -- Each platform of a file, in all versions and in its own; runs are those of groups as it writes them.
    written AS (
        SELECT
            file_id,
            {'platform': platform, 'version': unnest([NULL, any_value(platform_version)])} AS part,
            count(group_first) AS runs,
            bool_or(blocking.file_id IS NOT NULL) AS is_blocking
        FROM platforms
        LEFT JOIN blocking USING (file_id, platform)
        GROUP BY file_id, platform
    ),
    served AS MATERIALIZED (
        SELECT DISTINCT population.*, part, runs, is_blocking, coalesce(own.n_rules, 0) AS own_rules
        FROM population
        JOIN written USING (file_id)
        JOIN files USING (file_id)
        LEFT JOIN policies AS own ON own.policy_id = owner_policy_id
    ),
    counted AS (
        SELECT
            part,
            count(DISTINCT domain) AS domains,
            count(DISTINCT file_id) AS files,
            pct(sum(if(runs > 0 AND own_rules = 0, weight, 0)), sum(weight)) AS pct_untouched,
            pct(sum(if(runs = 0, weight, 0)), sum(weight)) AS pct_changed,
            pct(sum(if(is_blocking, weight, 0)), sum(weight)) AS pct_blocking_ai_agents
        FROM served
        GROUP BY part
    )
    SELECT
        part.platform AS platform,
        part.version AS version,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        counted.* EXCLUDE (part),
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('served', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY max(hosts) OVER (PARTITION BY part.platform) DESC, platform, version NULLS FIRST;
