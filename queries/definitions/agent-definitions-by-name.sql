-- How much do the groups written for a crawler disallow: by the exact definition, and by the three published ones?
-- Keywords: blocked by name, disallowed, full, partial, definitions, explicit.
-- Reproduces: counts of the studies that agent-definitions names: Common Crawl (cc_), Longpre (dpi_), Liu (imc_).
-- Denominator: none; hosts with rules (n) whose file names the crawler. cc_ counts fewer hosts,
--   because it skips groups without rules.
CREATE OR REPLACE MACRO agent_definitions_by_name(agents := NULL, crawl := NULL, top := 30) AS TABLE
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
        'with_rules' AS population, known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM hosts_in('with_rules', crawl)
    JOIN agents USING (policy_id)
    WHERE product_token IN (SELECT unnest(chosen_agents(agents, 1000)))
    GROUP BY product_token
    ORDER BY hosts DESC, product_token
    LIMIT top;
