-- Which AI crawlers are blocked most?
-- Keywords: ranking, top AI bots, GPTBot, ClaudeBot, CCBot, leaderboard.
-- Reproduces: rankings by full disallow (Cloudflare Radar; thunderbit; Liu et al., IMC 2025, figure 3).
-- Denominator: hosts of the population that gave a usable answer (n). full: the group that applies to the crawler
--   allows no path; by_name: that group is its own. Rows are ranked by full blocks by name, which target the crawler;
--   blocks by `*` are nearly the same for all crawlers. agents: by default every AI crawler of the catalogue that a
--   file names.
CREATE OR REPLACE MACRO ai_agents_most_blocked(
    agents := NULL, crawl := NULL, population := 'answered', "by" := 'host', weights := NULL, top := 20
) AS TABLE
    WITH population AS NOT MATERIALIZED (FROM hosts_by(population, crawl, "by", weights) WHERE is_settled)
    SELECT
        row_number() OVER (ORDER BY pct_full_by_name DESC, hosts_full_by_name DESC, product_token) AS rank,
        product_token, name, operator, category, hosts_full_by_name,
        pct_full_by_name, pct_full_by_name_low AS pct_low, pct_full_by_name_high AS pct_high,
        hosts_full, pct_full, n, shares.population, unit, shares.crawl, note
    FROM agent_shares(chosen_ai_agents(agents, 1000), 'population') AS shares
    LEFT JOIN agent_kinds USING (product_token)
    ORDER BY rank
    LIMIT top;
