-- How much do the groups written for a crawler disallow: by our exact definition, and by the three
-- published ones?
--
-- Topic: Who may crawl.
-- Keywords: blocked by name, disallowed, full, partial, definitions, explicit.
-- Reproduces: "disallow all, allow part, allow all" per agent of Common Crawl's robots.txt
--   experiments (cc_), "all, some, none" of the Data Provenance Initiative (dpi_), "full, partial,
--   none, explicit" of Liu et al., IMC 2025 (imc_). All over RFC 9309 groups, which their scripts
--   form otherwise.
-- Denominator: hosts, each once per crawl, whose robots.txt names the crawler. cc_ adds up to less,
--   for it skips groups without rules. For shares of all hosts see
--   agent-restrictions-effective.sql.
-- Parameters: crawl, agents (all of the view known_agents), top (30).
CREATE OR REPLACE MACRO agent_restrictions(
    agents := NULL,
    crawl VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), (SELECT list(product_token) FROM known_agents))) AS product_token
    )
    SELECT
        product_token,
        count(*) AS hosts,
        count(*) FILTER (restriction = 'full') AS "full",
        count(*) FILTER (restriction_cc = 'disallow_all') AS cc_disallow_all,
        count(*) FILTER (restriction_dpi = 'all') AS dpi_all,
        count(*) FILTER (restriction_imc = 'full') AS imc_full,
        count(*) FILTER (restriction = 'partial') AS partial,
        count(*) FILTER (restriction_cc = 'allow_part') AS cc_allow_part,
        count(*) FILTER (restriction_dpi = 'some') AS dpi_some,
        count(*) FILTER (restriction_imc = 'partial') AS imc_partial,
        count(*) FILTER (restriction = 'none') AS "none",
        count(*) FILTER (restriction_cc = 'allow_all') AS cc_allow_all,
        count(*) FILTER (restriction_dpi = 'none') AS dpi_none,
        count(*) FILTER (restriction_imc = 'none') AS imc_none,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM hosts_in('with_rules', crawl)
    JOIN agents USING (policy_id)
    WHERE product_token IN (FROM chosen)
    GROUP BY product_token
    ORDER BY hosts DESC, product_token
    LIMIT top;
