-- Who allows a crawler everything by name, and is that needed?
-- Keywords: allow all, welcome, permitted, invite, allow AI.
-- Reproduces: explicit allows of AI crawlers (Liu et al., IMC 2025, figure 4; thunderbit).
-- Denominator: hosts whose file names the crawler (n). allowed_by_name: the crawler's own group allows everything;
--   with_allow: it has an allow rule, not only an empty disallow; needed_for_a_part: the group that holds without it,
--   the fallback's or the group for `*`, disallows some paths, but not all; needed_at_all: it disallows every path, so
--   that no host is counted in both.
CREATE OR REPLACE MACRO explicit_allows(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (product_token AS stratum, 'naming the crawler' AS population),
            true AS part, own.restriction,
            own.n_allow > 0 AS with_allow,
            coalesce(
                fallback.restriction, if(coalesce(obeys_wildcard, true), own.wildcard_restriction, NULL), 'none'
            ) AS otherwise,
            otherwise = 'partial' AS needed_for_a_part,
            otherwise = 'full' AS needed_at_all
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        JOIN agents AS own USING (policy_id)
        LEFT JOIN agent_catalog USING (product_token)
        LEFT JOIN (
            FROM agents WHERE product_token IN (SELECT fallback_token FROM agent_catalog)
        ) AS fallback ON fallback.policy_id = hosts.policy_id AND fallback.product_token = fallback_token
        WHERE product_token IN (SELECT unnest(chosen_agents(agents, 25)))
    ),
    allowing AS (FROM population WHERE restriction = 'none')
    SELECT
        stratum AS product_token, hosts AS allowed_by_name, share AS pct_of_hosts_naming, pct_low, pct_high,
        with_allow, needed_for_a_part, needed_at_all,
        n, population, unit, shares.crawl, joined_notes([announcement_of(stratum, shares.crawl), note]) AS note
    FROM summed_shares(
        'allowing', 'population', 'one_part', sums := ['with_allow', 'needed_for_a_part', 'needed_at_all']
    ) AS shares
    ORDER BY allowed_by_name DESC, product_token;
