-- How many hosts count as blocking a crawler, named or not: by our exact definition and by the three
-- published ones?
--
-- Topic: How others count.
-- Reproduces: "disallow all, allow part, allow all" with fallback to `*` of Common Crawl's robots.txt
--   experiments (cc_), "all, some, none" of the Data Provenance Initiative (dpi_), "full, partial,
--   none" of Liu et al., IMC 2025 (imc_). All over RFC 9309 groups, which their scripts form
--   otherwise: grouping-errors.sql counts what that does.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like), where everything is allowed. Shares are of these (n), in per cent.
-- Intervals: none; definitions are compared over the same hosts. Those of pct_full:
--   agent-restrictions-over-time.
-- Parameters: crawl (the last one, by label), agents (the 20 of the catalogue that most policies name),
--   by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet file
--   of domain and weight).
CREATE OR REPLACE MACRO agent_definitions(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(20))) AS product_token
    )
    SELECT
        product_token,
        pct(coalesce(sum(weight) FILTER (restriction = 'full'), 0), sum(weight)) AS pct_full,
        pct(coalesce(sum(weight) FILTER (restriction_cc = 'disallow_all'), 0), sum(weight)) AS pct_cc_disallow_all,
        pct(coalesce(sum(weight) FILTER (restriction_dpi = 'all'), 0), sum(weight)) AS pct_dpi_all,
        pct(coalesce(sum(weight) FILTER (restriction_imc = 'full'), 0), sum(weight)) AS pct_imc_full,
        pct(coalesce(sum(weight) FILTER (restriction = 'partial'), 0), sum(weight)) AS pct_partial,
        pct(coalesce(sum(weight) FILTER (restriction_cc = 'allow_part'), 0), sum(weight)) AS pct_cc_allow_part,
        pct(coalesce(sum(weight) FILTER (restriction_dpi = 'some'), 0), sum(weight)) AS pct_dpi_some,
        pct(coalesce(sum(weight) FILTER (restriction_imc = 'partial'), 0), sum(weight)) AS pct_imc_partial,
        pct(coalesce(sum(weight) FILTER (restriction = 'none'), 0), sum(weight)) AS pct_none,
        pct(coalesce(sum(weight) FILTER (restriction_cc = 'allow_all'), 0), sum(weight)) AS pct_cc_allow_all,
        pct(coalesce(sum(weight) FILTER (restriction_dpi = 'none'), 0), sum(weight)) AS pct_dpi_none,
        pct(coalesce(sum(weight) FILTER (restriction_imc = 'none'), 0), sum(weight)) AS pct_imc_none,
        sum(hosts)::BIGINT AS n,
        'answered' AS population,
        "by" AS unit
    FROM counted_answers(
        (SELECT list(product_token) FROM chosen),
        'SELECT NULL AS part, policy_id, weight FROM ' || hosts_sql('answered', crawl, "by", weights)
    )
    GROUP BY product_token
    ORDER BY pct_full DESC, product_token;
