-- What share of hosts fully blocks a crawler, and how has that changed?
-- Keywords: trend, time series, blocked, growth, years, GPTBot.
-- Reproduces: the share of sites that fully disallow each AI crawler, crawl by crawl, explicitly and by `*` (Liu et
--   al., IMC 2025); CCBot's share by crawl (Common Crawl's robots.txt experiments).
-- Denominator: hosts of the population that gave a usable answer (n). full: no path is allowed, by the crawler's own
--   group (by_name), or by its fallback's group or the group for `*` (by_wildcard). agent-panel compares the same hosts
--   in two crawls.
-- Parameters: agents: by default GPTBot alone.
CREATE OR REPLACE MACRO agent_restrictions_over_time(
    agents := ['gptbot'], population := 'answered', "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS NOT MATERIALIZED (FROM all_hosts_by(population, "by", weights) WHERE is_settled)
    SELECT
        product_token, crawl, hosts_full, pct_full, pct_full_low AS pct_low, pct_full_high AS pct_high, pct_full_by_name,
        pct_of(pct_full - pct_full_by_name) AS pct_full_by_wildcard,
        pct_partial, pct_none, n, shares.population, unit,
        joined_notes([order_note(crawl), note]) AS note
    FROM agent_shares(known_tokens(agents), 'population') AS shares
    ORDER BY product_token, stratum;
