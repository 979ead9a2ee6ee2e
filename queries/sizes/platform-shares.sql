-- Which platforms write robots.txt files, or blocks in them, and what do owners add?
-- Keywords: CMS, WordPress, Shopify, Wix, Squarespace, Cloudflare, hosting, generator.
-- Reproduces: a vendor's managed template (thunderbit's AI crawler study: 4.5% of files), for every known platform.
-- Denominator: hosts with a robots.txt (n). A host counts once for each platform that wrote a part of its file; version
--   is null for all versions together. Shares of the row's hosts: untouched (the owner added no rule), changed (no
--   group is as the platform writes it) and blocking (a group of the platform blocks an AI crawler by name).
CREATE OR REPLACE MACRO platform_shares(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM host_files_by('with_file', crawl, "by", weights)),
    blocking AS (
        SELECT DISTINCT file_id, platform
        FROM file_groups
        JOIN agents ON agents.policy_id = file_groups.policy_id AND list_contains(product_tokens, agents.product_token)
        SEMI JOIN (FROM agent_catalog WHERE is_ai) AS ai ON ai.product_token = agents.product_token
        WHERE platform IS NOT NULL AND restriction = 'full'
    ),
    written AS (
        SELECT
            file_id, platform, any_value(platform_version) AS version, count(group_first) = 0 AS is_changed,
            bool_or(blocking.file_id IS NOT NULL) AS is_blocking
        FROM platforms LEFT JOIN blocking USING (file_id, platform)
        GROUP BY file_id, platform
    ),
    served AS MATERIALIZED (
        SELECT
            population.*, is_changed, is_blocking, coalesce(own.n_rules, 0) = 0 AND NOT is_changed AS is_untouched,
            -- All versions together, and the file's version.
            {'platform': written.platform, 'version': unnest(if(version IS NULL, [NULL], [NULL, version]))} AS part
        FROM population
        JOIN written USING (file_id)
        LEFT JOIN policies AS own ON own.policy_id = owner_policy_id
    ),
    counts AS (
        SELECT
            part, count(DISTINCT domain) AS domains, count(DISTINCT file_id) AS files,
            pct_where(is_untouched, weight) AS pct_untouched,
            pct_where(is_changed, weight) AS pct_changed,
            pct_where(is_blocking, weight) AS pct_blocking_ai_agents
        FROM served
        GROUP BY part
    )
    SELECT
        part.platform AS platform, part.version AS version,
        hosts, share AS pct_of_hosts_with_file, pct_low, pct_high, counts.* EXCLUDE (part),
        n, population, unit, shares.crawl, note
    FROM shares('served', 'population') AS shares
    JOIN counts USING (part)
    ORDER BY max(hosts) OVER (PARTITION BY part.platform) DESC, platform, version NULLS FIRST;
