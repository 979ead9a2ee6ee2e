-- Do prominent sites block crawlers more often than others?
--
-- Topic: Who may crawl.
-- Keywords: top 10k, GPTBot, Tranco, popular sites, top sites, popularity, traffic.
-- Reproduces: fully and partly disallowed among the top sites and the rest of Liu et al., IMC 2025;
--   agents by top-k of Common Crawl's robots.txt experiments and of the Web Almanac (generative
--   AI).
-- Denominator: hosts of the stratum, each once per crawl, of the population: those that answered
--   conclusively, with a file, or without one. Strata "top N" are cumulative, those "A to B"
--   disjoint; "unranked" have no rank, "all" is everybody. A host has the rank of its name, with or
--   without www.; where the list ranks registrable domains, else the rank of its domain. Needs
--   ranks.
-- Parameters: agents (the 8 AI agents that most policies name), crawl, population (answered;
--   with_file, with_rules), by, weights, ranks (path of a CSV or Parquet file with rank and domain,
--   such as Tranco's), tops ([1000, 10000, 50000, 100000, 1000000]).
CREATE OR REPLACE MACRO agent_restrictions_by_rank(
    agents := NULL,
    crawl VARCHAR := NULL,
    population VARCHAR := 'answered',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    ranks VARCHAR := NULL,
    tops BIGINT[] := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT strata.stratum, hosts.* EXCLUDE (stratum)
        FROM hosts_by(population, crawl, "by", weights) AS hosts
        LEFT JOIN host_ranks_of(needed_list(ranks, 'ranks', 'rank')) AS ranked USING (url_host_name)
        JOIN rank_strata(tops) AS strata ON is_in_stratum(rank, strata)
        WHERE is_settled
    )
    SELECT
        stratum,
        product_token,
        pct_named,
        pct_full,
        pct_full_low AS pct_low,
        pct_full_high AS pct_high,
        pct_full_by_name,
        pct_partial,
        pct_partial_by_name,
        pct_none,
        n,
        n_domains,
        population AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM agent_shares(coalesce(known_tokens(agents), usual_ai_agents(8)), 'population') AS shares
    JOIN rank_strata(tops) USING (stratum)
    ORDER BY position, product_token;
