-- How do groups of hosts differ in blocking AI crawlers: by top-level domain, platform, or your labels?
-- Keywords: AI bots, countries, country, ccTLD, region, news sites, sector, category, industry, own list of sites,
--   CMS, Shopify, Wix, Squarespace, Cloudflare managed, default.
-- Reproduces: hosts that block an AI crawler by TLD, and by a vendor's template (thunderbit); news sites
--   (Steinacker-Olsztyn 2025); Curlie categories (Dinzinger's survey); sectors (Sun et al., WWW 2007).
-- Denominator: hosts of the group in the population (n); "all" has every host, and a host with several labels is in
--   several groups. naming: a file with rules has a group for an AI crawler of the catalogue; blocking: such a group
--   allows no path. Means are over hosts: mean_ai_agents_blocked over blocking hosts, the others over hosts with rules.
-- Parameters: per: tld or maker (template: a platform wrote part of the file, whatever the owner added; own: no
--   platform wrote any of it), unless labels are given; min_hosts: groups with fewer hosts are left out.
CREATE OR REPLACE MACRO ai_agents_by_group(
    per := 'tld', crawl := NULL, population := 'answered', "by" := 'host', weights := NULL, labels := NULL,
    min_hosts := 1, top := 40
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            unnest(['all'] || CASE
                WHEN labels IS NOT NULL THEN coalesce(labels_of_host, [])
                WHEN one_of(per, ['tld', 'maker'], 'per') = 'tld' THEN [group_name(url_host_tld)]
                WHEN has_lines THEN [if(platform IS NULL, 'own', 'template')]
                ELSE []
            END) AS stratum,
            cluster, weight, hosts.crawl, hosts.population, unit, policy_id, has_rules,
            content_length, n_lines, n_agents, mentions_eu_2019_790, agents_named, agents_blocked,
            true AS part, has_rules AND agents_named > 0 AS names_one, agents_blocked > 0 AS blocks_one
        FROM host_files_by(population, crawl, "by", weights) AS hosts
        LEFT JOIN host_labels_of(labels) USING (url_host_name)
        LEFT JOIN ai_agents_named USING (policy_id)
    ),
    counts AS (
        SELECT
            stratum,
            round(avg(agents_blocked) FILTER (agents_blocked > 0), 2) AS mean_ai_agents_blocked,
            round(avg(content_length) FILTER (has_rules), 0) AS mean_bytes,
            round(avg(n_lines) FILTER (has_rules), 1) AS mean_lines,
            round(avg(n_agents) FILTER (has_rules), 2) AS mean_agents,
            count(*) FILTER (mentions_eu_2019_790) AS hosts_citing_eu_2019_790,
            count(DISTINCT policy_id) AS policies
        FROM population
        GROUP BY stratum
    )
    SELECT
        stratum AS "group", pct(total_weight, max(total_weight) OVER ()) AS pct_of_all,
        found['has_rules'].share AS pct_with_rules,
        found['names_one'].hosts AS hosts_naming, found['names_one'].share AS pct_naming_ai_agents,
        found['blocks_one'].hosts AS hosts_blocking, found['blocks_one'].share AS pct_blocking_ai_agents,
        found['blocks_one'].low AS pct_low, found['blocks_one'].high AS pct_high,
        counts.* EXCLUDE (stratum),
        n, shares.population, unit, shares.crawl, found['blocks_one'].note AS note
    FROM shares_of_answers('population', 'population', ['has_rules', 'names_one', 'blocks_one']) AS shares
    JOIN counts USING (stratum)
    WHERE n >= min_hosts AND stratum IS NOT NULL
    ORDER BY "group" <> 'all', n DESC, "group"
    LIMIT top;
