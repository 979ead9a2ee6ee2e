-- How many hosts count as blocking a crawler, named or not: by the exact definition and by the three published ones?
-- Keywords: methods, comparison of studies, replication, Longpre, Liu, Common Crawl.
-- Reproduces: "disallow all, allow part, allow all" (cc_: Common Crawl's robots.txt experiments), "all, some, none"
--   (dpi_: Data Provenance Initiative), "full, partial, none" (imc_: Liu et al., IMC 2025), over RFC 9309 groups;
--   grouping-errors counts hosts whose rules are lost by the grouping of their scripts. `robostat schema agents` has
--   the definitions.
-- Denominator: hosts that answered (n); without a file everything is allowed. In cc_, the group for `*` decides for
--   crawlers with an empty group.
-- Intervals: none; definitions are compared over the same hosts. For pct_full, see agent-restrictions-over-time.
CREATE OR REPLACE MACRO agent_definitions(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights))
    SELECT
        product_token,
        pct_where(restriction = 'full', weight) AS pct_full,
        pct_where(restriction_cc = 'disallow_all', weight) AS pct_cc_disallow_all,
        pct_where(restriction_dpi = 'all', weight) AS pct_dpi_all,
        pct_where(restriction_imc = 'full', weight) AS pct_imc_full,
        pct_where(restriction = 'partial', weight) AS pct_partial,
        pct_where(restriction_cc = 'allow_part', weight) AS pct_cc_allow_part,
        pct_where(restriction_dpi = 'some', weight) AS pct_dpi_some,
        pct_where(restriction_imc = 'partial', weight) AS pct_imc_partial,
        pct_where(restriction = 'none', weight) AS pct_none,
        pct_where(restriction_cc = 'allow_all', weight) AS pct_cc_allow_all,
        pct_where(restriction_dpi = 'none', weight) AS pct_dpi_none,
        pct_where(restriction_imc = 'none', weight) AS pct_imc_none,
        sum(hosts)::BIGINT AS n,
        'answered' AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted_answers(chosen_agents(agents, 20), 'population')
    GROUP BY product_token
    ORDER BY pct_full DESC, product_token;
