-- How much of a count comes from a few domains or a few policies?
-- Keywords: dominance, skew, few large domains, Gini, bias, effective number.
-- Denominator: hosts captured, with_rules, or blocking a crawler fully by name (n; for policies,
--   those with a file). pct_of_top_: the share of the 1, 10 or 100 domains or policies with the
--   most hosts; effective: the number of equal-sized domains or policies with the same sum of
--   squared shares.
-- Unit: hosts; the query shows how far counts by host and by domain may differ. Intervals: none;
--   the query describes the hosts at hand.
CREATE OR REPLACE MACRO concentration(agents := NULL, crawl := NULL) AS TABLE
    WITH crawled AS MATERIALIZED (SELECT domain, policy_id, has_rules FROM of_crawl('hosts', crawl)),
    counted AS (
        SELECT 1 AS position, 'captured' AS population, domain, policy_id FROM crawled
        UNION ALL
        SELECT 2, 'with_rules', domain, policy_id FROM crawled WHERE has_rules
        UNION ALL
        SELECT 3, 'blocking ' || product_token || ' by name', domain, policy_id
        FROM crawled JOIN agents USING (policy_id)
        WHERE restriction = 'full' AND product_token IN (SELECT unnest(chosen_ai_agents(agents, 8)))
    ),
    parts AS (
        SELECT position, population, 'domain' AS "of", domain AS part, count(*) AS hosts FROM counted GROUP BY ALL
        UNION ALL
        SELECT position, population, 'policy', policy_id::VARCHAR, count(*)
        FROM counted
        WHERE policy_id IS NOT NULL
        GROUP BY ALL
    )
    SELECT
        population AS counted, "of", count(*) AS parts,
        pct(max(hosts), sum(hosts)) AS pct_of_top_1,
        pct(list_sum(max(hosts, 10)), sum(hosts)) AS pct_of_top_10,
        pct(list_sum(max(hosts, 100)), sum(hosts)) AS pct_of_top_100,
        round(sum(hosts)::DOUBLE ** 2 / sum(hosts::DOUBLE ** 2), 1) AS effective,
        arg_min(part, (-hosts, part)) AS top_1,
        sum(hosts)::BIGINT AS n, population, 'host' AS unit, known_crawl(crawl) AS crawl
    FROM parts
    GROUP BY position, population, "of"
    ORDER BY position, n DESC, population, "of";
