-- Which platforms write robots.txt files, or blocks in them, and what do owners add?
--
-- Topic: Size and structure.
-- Reproduces: the share of a vendor's managed template of thunderbit's AI crawler study (4.5% of files),
--   for every platform that is known.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n). A host
--   counts once for each platform that wrote a part of its file. version: null for all versions
--   together. untouched: the owner added no rule; changed: the platform is known, but no group is as it
--   writes them; blocking: an AI agent of the catalogue has no path open, by name, because of a group
--   of this platform; these three are shares of the row's hosts. 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO platform_shares(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT NULL AS stratum, file_id, domain, cluster, hosts, weight, squares
        FROM hosts_by('with_file', crawl, "by", weights)
    ),
    -- The few hosts and files that a platform wrote for: the large tables are joined to what is of them.
    served AS MATERIALIZED (
        FROM crawled SEMI JOIN platforms USING (file_id)
    ),
    served_files AS MATERIALIZED (
        SELECT file_id, policy_id, owner_policy_id FROM files SEMI JOIN platforms USING (file_id)
    ),
    blocked AS MATERIALIZED (
        SELECT policy_id, product_token
        FROM agents
        JOIN (SELECT DISTINCT policy_id FROM served_files) USING (policy_id)
        WHERE restriction = 'full'
    ),
    blocking AS (
        SELECT DISTINCT file_id, platform
        FROM platforms
        JOIN served_files USING (file_id)
        JOIN groups ON groups.policy_id = served_files.policy_id AND group_index BETWEEN group_first AND group_last
        JOIN blocked
            ON blocked.policy_id = groups.policy_id AND list_contains(groups.product_tokens, blocked.product_token)
        WHERE blocked.product_token IN (SELECT product_token FROM agent_catalog WHERE is_ai)
    ),
    parts AS MATERIALIZED (
        SELECT file_id, platform, any_value(platform_version) AS platform_version, count(group_first) AS runs
        FROM platforms
        GROUP BY file_id, platform
    ),
    counted AS (
        SELECT
            platform,
            if(grouping(platform_version) = 0, coalesce(platform_version, '(other)'), NULL) AS version,
            count(*) AS hosts,
            count(DISTINCT domain) AS domains,
            count(DISTINCT file_id) AS files,
            pct(coalesce(sum(weight) FILTER (runs > 0 AND coalesce(own.n_rules, 0) = 0), 0), sum(weight)) AS pct_untouched,
            pct(coalesce(sum(weight) FILTER (runs = 0), 0), sum(weight)) AS pct_changed,
            pct(coalesce(sum(weight) FILTER (blocking.file_id IS NOT NULL), 0), sum(weight)) AS pct_blocking_ai_agents
        FROM served
        JOIN parts USING (file_id)
        JOIN served_files USING (file_id)
        LEFT JOIN policies AS own ON own.policy_id = owner_policy_id
        LEFT JOIN blocking USING (file_id, platform)
        GROUP BY GROUPING SETS ((platform), (platform, platform_version))
        HAVING grouping(platform_version) = 1 OR count(platform_version) > 0
    ),
    shares AS (
        FROM shares_of(
            'SELECT
                stratum,
                unnest([platform, platform || chr(9) || coalesce(platform_version, ''(other)'')]) AS part,
                cluster,
                hosts,
                weight,
                squares
            FROM served JOIN parts USING (file_id)',
            'FROM crawled'
        )
    )
    SELECT
        platform,
        version,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        domains,
        files,
        pct_untouched,
        pct_changed,
        pct_blocking_ai_agents,
        (SELECT count(*) FROM crawled) AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    LEFT JOIN shares ON part = platform || coalesce(chr(9) || version, '')
    ORDER BY max(hosts) OVER (PARTITION BY platform) DESC, platform, version NULLS FIRST;
