-- How many hosts count as blocking a crawler, named or not: by our exact definition and by the
-- three published ones?
--
-- Topic: How others count.
-- Keywords: methods, comparison of studies, replication, Longpre, Liu, Common Crawl.
-- Reproduces: "disallow all, allow part, allow all" with fallback to `*` of Common Crawl's
--   robots.txt experiments (cc_), "all, some, none" of the Data Provenance Initiative (dpi_),
--   "full, partial, none" of Liu et al., IMC 2025 (imc_). All over RFC 9309 groups, which their
--   scripts form otherwise: grouping-errors.sql counts what that does.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like), where everything is allowed. Shares are of these (n), in per cent.
-- Intervals: none; definitions are compared over the same hosts. Those of pct_full:
--   agent-restrictions-over-time.
-- Parameters: crawl, agents (the 20 of the catalogue that most policies name), by, weights.
CREATE OR REPLACE MACRO agent_definitions(
    agents := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS (FROM hosts_by('answered', crawl, "by", weights))
    SELECT
        product_token,
        pct(sum(if(restriction = 'full', weight, 0)), sum(weight)) AS pct_full,
        pct(sum(if(restriction_cc = 'disallow_all', weight, 0)), sum(weight)) AS pct_cc_disallow_all,
        pct(sum(if(restriction_dpi = 'all', weight, 0)), sum(weight)) AS pct_dpi_all,
        pct(sum(if(restriction_imc = 'full', weight, 0)), sum(weight)) AS pct_imc_full,
        pct(sum(if(restriction = 'partial', weight, 0)), sum(weight)) AS pct_partial,
        pct(sum(if(restriction_cc = 'allow_part', weight, 0)), sum(weight)) AS pct_cc_allow_part,
        pct(sum(if(restriction_dpi = 'some', weight, 0)), sum(weight)) AS pct_dpi_some,
        pct(sum(if(restriction_imc = 'partial', weight, 0)), sum(weight)) AS pct_imc_partial,
        pct(sum(if(restriction = 'none', weight, 0)), sum(weight)) AS pct_none,
        pct(sum(if(restriction_cc = 'allow_all', weight, 0)), sum(weight)) AS pct_cc_allow_all,
        pct(sum(if(restriction_dpi = 'none', weight, 0)), sum(weight)) AS pct_dpi_none,
        pct(sum(if(restriction_imc = 'none', weight, 0)), sum(weight)) AS pct_imc_none,
        sum(hosts)::BIGINT AS n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted_answers(coalesce(known_tokens(agents), usual_agents(20)), 'population')
    GROUP BY product_token
    ORDER BY pct_full DESC, product_token;
