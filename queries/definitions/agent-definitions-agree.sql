-- Where do the published definitions of "blocked" differ from the exact one?
-- Keywords: methods, comparison of studies, disagreement, replication.
-- Reproduces: nothing published; the definitions of Common Crawl, the Data Provenance Initiative and Liu et al. next
--   to the meaning of the rules under RFC 9309, combination by combination.
-- Denominator: pairs (n) of a host and a crawler that its file names, with rules.
-- Intervals: none; definitions are compared over the same pairs.
CREATE OR REPLACE MACRO agent_definitions_agree(
    crawl VARCHAR := NULL, "by" VARCHAR := 'host', weights VARCHAR := NULL
) AS TABLE
    WITH population AS (FROM hosts_by('with_rules', crawl, "by", weights)),
    named AS (
        SELECT
            *,
            CASE restriction_cc WHEN 'disallow_all' THEN 'full' WHEN 'allow_part' THEN 'partial' ELSE 'none' END AS cc,
            CASE restriction_dpi WHEN 'all' THEN 'full' WHEN 'some' THEN 'partial' ELSE 'none' END AS dpi
        FROM agents
        WHERE n_rules > 0
    )
    SELECT
        restriction, restriction_cc, restriction_dpi, restriction_imc,
        count(*) AS pairs,
        pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_pairs,
        count(DISTINCT url_host_name) AS hosts,
        any_value((cc = restriction)::INTEGER + (dpi = restriction)::INTEGER + (restriction_imc = restriction)::INTEGER)
            AS definitions_that_agree,
        sum(count(*)) OVER ()::BIGINT AS n,
        'pairs with rules' AS population, "by" AS unit, known_crawl(crawl) AS crawl
    FROM population
    JOIN named USING (policy_id)
    GROUP BY restriction, restriction_cc, restriction_dpi, restriction_imc
    ORDER BY pairs DESC, restriction, restriction_cc, restriction_dpi, restriction_imc;
