-- Do prominent sites shut crawlers out more often than others?
--
-- Topic: Who may crawl.
-- Reproduces: fully and partly disallowed among the top sites and the rest of Liu et al., IMC 2025;
--   agents by top-k of Common Crawl's robots.txt experiments and of the Web Almanac (generative AI).
-- Denominator: hosts, each once per crawl, that settled the question: with a file, or without one. A
--   row "top N" has hosts that rank at most N (strata are cumulative); a host has the rank of its
--   name, with or without www.; "unranked" has none, "all" is everybody. Without ranks, all.
-- Parameters: crawl (the last one, by label), ranks (path of a CSV or Parquet file with rank and
--   domain, such as Tranco's), tops ([1000, 10000, 50000, 100000, 1000000]), agents (the 8 AI agents
--   that most policies name).
CREATE OR REPLACE MACRO agent_restrictions_by_rank(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    ranks VARCHAR := NULL,
    tops BIGINT[] := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    ranked AS (
        SELECT product_token, source, restriction, rank
        FROM agent_answers_in((SELECT list(product_token) FROM chosen), crawl)
        LEFT JOIN host_ranks_of(ranks) USING (url_host_name)
    ),
    strata AS (
        SELECT 'top ' || k AS stratum, k::BIGINT AS k FROM (SELECT unnest(tops) AS k)
        UNION ALL
        SELECT 'all', NULL
        UNION ALL
        SELECT 'unranked', -1
    )
    SELECT
        stratum,
        product_token,
        count(*) AS hosts,
        pct(count(*) FILTER (source = 'own'), count(*)) AS pct_named,
        pct(count(*) FILTER (restriction = 'full'), count(*)) AS pct_full,
        pct(count(*) FILTER (restriction = 'full' AND source = 'own'), count(*)) AS pct_full_by_name,
        pct(count(*) FILTER (restriction = 'partial'), count(*)) AS pct_partial,
        pct(count(*) FILTER (restriction = 'partial' AND source = 'own'), count(*)) AS pct_partial_by_name,
        pct(count(*) FILTER (restriction = 'none'), count(*)) AS pct_none
    FROM ranked
    JOIN strata ON k IS NULL OR rank <= k OR (k = -1 AND rank IS NULL AND ranks IS NOT NULL)
    GROUP BY stratum, k, product_token
    ORDER BY k = -1, k NULLS LAST, product_token;
