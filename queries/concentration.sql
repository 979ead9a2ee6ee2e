-- How much of what is counted comes from a few domains or a few policies?
--
-- Topic: Size and structure.
-- Reproduces: nothing published; what a share by host rests on.
-- Denominator: hosts, each once per crawl, of the population (all; with rules; blocking an agent fully by
--   name). top: the share of the domain, or the policy, with most hosts, of the ten and of the hundred
--   with most; effective: how many of equal size would be as concentrated (1 over the sum of squared
--   shares).
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one, by label).
CREATE OR REPLACE MACRO concentration(agents VARCHAR[] := NULL, crawl VARCHAR := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    crawled AS (
        SELECT domain, policy_id, has_rules, count(*) AS hosts FROM of_crawl('host_files', crawl) GROUP BY ALL
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
    parts AS (
        SELECT position, counted, 'domain' AS of_what, domain AS part, sum(hosts) AS hosts FROM counted GROUP BY ALL
        UNION ALL
        SELECT position, counted, 'policy', policy_id::VARCHAR, sum(hosts)
        FROM counted WHERE policy_id IS NOT NULL GROUP BY ALL
    ),
    ordered AS (
        SELECT
            *,
            row_number() OVER (PARTITION BY position, counted, of_what ORDER BY hosts DESC, part) AS number,
            sum(hosts) OVER (PARTITION BY position, counted, of_what) AS n
        FROM parts
    )
    SELECT
        counted,
        of_what AS "of",
        any_value(n)::BIGINT AS hosts,
        count(*) AS parts,
        pct(max(hosts), any_value(n)) AS pct_of_top_1,
        pct(sum(hosts) FILTER (number <= 10), any_value(n)) AS pct_of_top_10,
        pct(sum(hosts) FILTER (number <= 100), any_value(n)) AS pct_of_top_100,
        round(1 / sum((hosts / n) * (hosts / n)), 1) AS effective,
        arg_max(part, -number) AS top_1
    FROM ordered
    GROUP BY position, counted, of_what
    ORDER BY position, any_value(n) DESC, counted, of_what;
