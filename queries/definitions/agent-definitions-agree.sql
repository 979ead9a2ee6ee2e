-- Where do the published definitions of "blocked" differ from the exact one?
-- Keywords: methods, comparison of studies, disagreement, replication.
-- Denominator: pairs (n) of a host and a crawler whose name has rules in its file. Intervals: none;
--   definitions are compared over the same pairs.
CREATE OR REPLACE MACRO agent_definitions_agree(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    SELECT
        restriction, restriction_cc, restriction_dpi, restriction_imc,
        count(*) AS pairs,
        pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_pairs,
        count(DISTINCT url_host_name) AS hosts,
        (restriction_cc = MAP {'full': 'disallow_all', 'partial': 'allow_part', 'none': 'allow_all'}[restriction])::INT
            + (restriction_dpi = MAP {'full': 'all', 'partial': 'some', 'none': 'none'}[restriction])::INT
            + (restriction_imc = restriction)::INT AS definitions_that_agree,
        sum(count(*)) OVER ()::BIGINT AS n,
        'pairs with rules' AS population, "by" AS unit, known_crawl(crawl) AS crawl
    FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
    JOIN agents USING (policy_id)
    WHERE n_rules > 0
    GROUP BY restriction, restriction_cc, restriction_dpi, restriction_imc
    ORDER BY pairs DESC, restriction, restriction_cc, restriction_dpi, restriction_imc;
