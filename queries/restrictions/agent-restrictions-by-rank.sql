-- Do prominent sites block crawlers more often than others, and how has that changed?
-- Keywords: top 10k, GPTBot, Tranco, popular sites, top sites, popularity, traffic, trend, over time.
-- Reproduces: fully and partly disallowed among the top sites and the rest (Liu et al., IMC 2025);
--   agents by top-k (Common Crawl's robots.txt experiments; Web Almanac, generative AI).
-- Denominator: hosts of the stratum in the population that gave a usable answer (n). Strata "top N" are cumulative, "A
--   to B" disjoint; "unranked" hosts have no rank, "all" is every host. A host has the rank of its name, with or
--   without www., else, if the list ranks registrable domains, the rank of its registrable domain.
-- Parameters: crawl: a label, or all for every crawl; tops: the ends of the strata. ranks is required.
CREATE OR REPLACE MACRO agent_restrictions_by_rank(
    agents := NULL, crawl := NULL, population := 'answered', "by" := 'host', weights := NULL, ranks := NULL,
    tops := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    WITH hosts_counted AS (
        FROM hosts_by(population, nullif(crawl, 'all'), "by", weights) WHERE crawl IS DISTINCT FROM 'all'
        UNION ALL
        FROM all_hosts_by(population, "by", weights) WHERE crawl = 'all'
    ),
    population AS NOT MATERIALIZED (
        SELECT hosts.* REPLACE ({'crawl': hosts.stratum, 'position': position} AS stratum)
        FROM hosts_counted AS hosts
        LEFT JOIN host_ranks_of(needed_list(ranks, 'ranks', 'rank')) AS ranked USING (url_host_name)
        JOIN rank_strata(tops) ON coalesce(rank, 0) BETWEEN first AND last
        WHERE is_settled
    )
    SELECT
        strata.stratum, product_token, pct_named, pct_full, pct_full_low AS pct_low, pct_full_high AS pct_high,
        pct_full_by_name, pct_partial, pct_partial_by_name, pct_none,
        n, n_domains, shares.population, unit, shares.crawl, note
    FROM agent_shares(chosen_ai_agents(agents, 8), 'population') AS shares
    JOIN rank_strata(tops) AS strata ON strata.position = shares.stratum.position
    ORDER BY shares.stratum, product_token;
