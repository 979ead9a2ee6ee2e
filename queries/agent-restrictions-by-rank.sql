-- Do prominent sites block crawlers more often than others?
--
-- Topic: Who may crawl.
-- Reproduces: fully and partly disallowed among the top sites and the rest of Liu et al., IMC 2025;
--   agents by top-k of Common Crawl's robots.txt experiments and of the Web Almanac (generative AI).
-- Denominator: hosts of the stratum, each once per crawl, of the population: those that answered
--   conclusively, with a file, or without one. Strata "top N" are cumulative, those "A to B"
--   disjoint; "unranked" have no rank, "all" is everybody. A host has the rank of its name, with or
--   without www.; where the list ranks registrable domains, else the rank of its domain. Needs ranks.
--   95% intervals, with registrable domains as clusters.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one in time),
--   population (answered; with_file, with_rules), by (host; domain, weight), weights (path of a CSV or
--   Parquet file of domain and weight), ranks (path of a CSV or Parquet file with rank and domain, such
--   as Tranco's), tops ([1000, 10000, 50000, 100000, 1000000]).
CREATE OR REPLACE MACRO agent_restrictions_by_rank(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    population VARCHAR := 'answered',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    ranks VARCHAR := NULL,
    tops BIGINT[] := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    shares AS (
        FROM agent_shares(
            (SELECT list(product_token) FROM chosen),
            'FROM ranked_hosts(' || sql_text(hosts_sql(population, crawl, "by", weights)) || ', '
                || sql_text(needed_list(ranks, 'ranks', 'rank')) || ', ' || tops::VARCHAR || ') WHERE is_settled'
        )
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
        joined_notes(
            announcement_of(product_token, known_crawl(crawl)),
            joined_notes(
                share_note(pct_full_of_hosts, pct_full_of_domains, top_domain, pct_of_top_domain),
                no_interval
            )
        ) AS note
    FROM shares
    JOIN rank_strata(tops) USING (stratum)
    ORDER BY position, product_token;
