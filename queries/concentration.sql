-- How much of what is counted comes from a few domains or a few policies?
--
-- Topic: Size and structure.
-- Reproduces: nothing published; what a share by host rests on.
-- Denominator: hosts, each once per crawl, of the population (captured; with_rules; blocking an agent fully by
--   name; n). top: the share of the domain, or the policy, with most hosts, of the ten and of the hundred
--   with most; effective: how many of equal size would be as concentrated (1 over the sum of squared
--   shares).
-- Unit: hosts; it tells how far what is counted by host and by domain may part.
-- Intervals: none; they describe the hosts at hand.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one, by label).
CREATE OR REPLACE MACRO concentration(agents VARCHAR[] := NULL, crawl VARCHAR := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    crawled AS MATERIALIZED (
        SELECT domain, policy_id, has_rules, count(*) AS hosts FROM of_crawl('hosts', crawl) GROUP BY ALL
    ),
    counted AS (
        SELECT 1 AS position, 'captured' AS counted, domain, policy_id, hosts FROM crawled
        UNION ALL
        SELECT 2, 'with_rules', domain, policy_id, hosts FROM crawled WHERE has_rules
        UNION ALL
        SELECT 3, 'blocking ' || product_token || ' by name', domain, policy_id, hosts
        FROM crawled
        JOIN agents USING (policy_id)
        WHERE restriction = 'full' AND product_token IN (FROM chosen)
    ),
    parts AS MATERIALIZED (
        SELECT position, counted, 'domain' AS of_what, domain AS part, sum(hosts)::BIGINT AS hosts FROM counted GROUP BY ALL
        UNION ALL
        SELECT position, counted, 'policy', policy_id::VARCHAR, sum(hosts)::BIGINT
        FROM counted WHERE policy_id IS NOT NULL GROUP BY ALL
    ),
    summed AS (
        SELECT
            position,
            counted,
            of_what,
            sum(hosts)::BIGINT AS n,
            count(*) AS parts,
            max(hosts) AS most,
            list_sum(max(hosts, 10)) AS of_10,
            list_sum(max(hosts, 100)) AS of_100,
            sum(hosts::DOUBLE * hosts) AS squares
        FROM parts
        GROUP BY ALL
    ),
    first AS (
        SELECT position, counted, of_what, min(part) AS part
        FROM parts
        JOIN summed USING (position, counted, of_what)
        WHERE hosts = most
        GROUP BY ALL
    )
    SELECT
        counted,
        of_what AS "of",
        parts,
        pct(most, n) AS pct_of_top_1,
        pct(of_10, n) AS pct_of_top_10,
        pct(of_100, n) AS pct_of_top_100,
        round(n::DOUBLE * n / squares, 1) AS effective,
        part AS top_1,
        n,
        counted AS population,
        'host' AS unit
    FROM summed
    JOIN first USING (position, counted, of_what)
    ORDER BY position, n DESC, counted, of_what;
