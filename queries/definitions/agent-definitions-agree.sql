-- Where do the published definitions of "blocked" part from the exact one?
--
-- Topic: How others count.
-- Keywords: methods, comparison of studies, disagreement, replication.
-- Reproduces: nothing published; the definitions of Common Crawl, the Data Provenance Initiative
--   and Liu et al. beside what the rules mean under RFC 9309, combination by combination.
-- Denominator: pairs (n) of a host, once per crawl, and a product token that its file names, with
--   rules.
-- Intervals: none; definitions are compared over the same pairs.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO agent_definitions_agree(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    answers AS (
        SELECT policy_id, restriction, restriction_cc, restriction_dpi, restriction_imc, count(*) AS agents
        FROM agents
        WHERE n_rules > 0
        GROUP BY ALL
    )
    SELECT
        restriction,
        restriction_cc,
        restriction_dpi,
        restriction_imc,
        sum(hosts * agents)::BIGINT AS pairs,
        pct(sum(weight * agents), sum(sum(weight * agents)) OVER ()) AS pct_of_pairs,
        sum(hosts)::BIGINT AS hosts,
        (CASE restriction_cc WHEN 'disallow_all' THEN 'full' WHEN 'allow_part' THEN 'partial' ELSE 'none' END = restriction)::INTEGER
            + (CASE restriction_dpi WHEN 'all' THEN 'full' WHEN 'some' THEN 'partial' ELSE 'none' END = restriction)::INTEGER
            + (restriction_imc = restriction)::INTEGER AS definitions_that_agree,
        sum(sum(hosts * agents)) OVER ()::BIGINT AS n,
        'pairs with rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl
    FROM crawled
    JOIN answers USING (policy_id)
    GROUP BY ALL
    ORDER BY pairs DESC, restriction, restriction_cc, restriction_dpi, restriction_imc;
