-- How many hosts count as blocking a crawler, named or not: by our exact definition and by the three
-- published ones?
--
-- Topic: How others count.
-- Reproduces: "disallow all, allow part, allow all" with fallback to `*` of Common Crawl's robots.txt
--   experiments (cc_), "all, some, none" of the Data Provenance Initiative (dpi_), "full, partial,
--   none" of Liu et al., IMC 2025 (imc_). All over RFC 9309 groups, which their scripts form
--   otherwise: grouping-errors.sql counts what that does.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like), where everything is allowed. Shares are of these, in per cent.
-- Parameters: crawl (the last one, by label), agents (the 20 of the catalogue that most policies name).
CREATE OR REPLACE MACRO agent_definitions(agents VARCHAR[] := NULL, crawl VARCHAR := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(20))) AS product_token
    )
    SELECT
        product_token,
        count(*) AS hosts,
        pct(count(*) FILTER (restriction = 'full'), count(*)) AS pct_full,
        pct(count(*) FILTER (restriction_cc = 'disallow_all'), count(*)) AS pct_cc_disallow_all,
        pct(count(*) FILTER (restriction_dpi = 'all'), count(*)) AS pct_dpi_all,
        pct(count(*) FILTER (restriction_imc = 'full'), count(*)) AS pct_imc_full,
        pct(count(*) FILTER (restriction = 'partial'), count(*)) AS pct_partial,
        pct(count(*) FILTER (restriction_cc = 'allow_part'), count(*)) AS pct_cc_allow_part,
        pct(count(*) FILTER (restriction_dpi = 'some'), count(*)) AS pct_dpi_some,
        pct(count(*) FILTER (restriction_imc = 'partial'), count(*)) AS pct_imc_partial,
        pct(count(*) FILTER (restriction = 'none'), count(*)) AS pct_none,
        pct(count(*) FILTER (restriction_cc = 'allow_all'), count(*)) AS pct_cc_allow_all,
        pct(count(*) FILTER (restriction_dpi = 'none'), count(*)) AS pct_dpi_none,
        pct(count(*) FILTER (restriction_imc = 'none'), count(*)) AS pct_imc_none
    FROM agent_answers_in((SELECT list(product_token) FROM chosen), crawl)
    GROUP BY product_token
    ORDER BY pct_full DESC, product_token;
