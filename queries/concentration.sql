-- How much of what is counted comes from a few domains or a few policies?
--
-- Topic: Size and structure.
-- Reproduces: nothing published; what a share by host rests on.
-- Denominator: hosts, each once per crawl, of the population (captured; with_rules; blocking an agent fully by
--   name; n). top: the share of the domain, or the policy, with most hosts, of the ten and of the hundred
--   with most; effective: how many of equal size would be as concentrated (1 over the sum of squared
--   shares).
-- Unit: hosts; it shows how far counts by host and by domain may differ.
-- Intervals: none; they describe the hosts at hand.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one in time).
CREATE OR REPLACE MACRO concentration(agents VARCHAR[] := NULL, crawl VARCHAR := NULL) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT tokens[number] AS product_token, 2 + number AS counted
        FROM (SELECT tokens, generate_subscripts(tokens, 1) AS number
            FROM (SELECT coalesce(known_tokens(agents), usual_ai_agents(8)) AS tokens))
    ),
    -- Domains of several hosts have a number; domains with one host are counted together, as null.
    crawled AS MATERIALIZED (
        SELECT domain_number, policy_id, has_rules, min(domain) AS domain, count(*) AS hosts
        FROM of_crawl('hosts', crawl)
        GROUP BY ALL
    ),
    blocked AS MATERIALIZED (
        SELECT policy_id, chosen.counted
        FROM agents
        JOIN chosen ON chosen.product_token = token_as_read(agents.product_token)
        WHERE restriction = 'full'
    ),
    counted AS (
        SELECT 1 AS counted, domain_number, domain, hosts FROM crawled
        UNION ALL
        SELECT 2, domain_number, domain, hosts FROM crawled WHERE has_rules
        UNION ALL
        SELECT blocked.counted, domain_number, domain, hosts FROM crawled JOIN blocked USING (policy_id)
    ),
    policy_hosts AS MATERIALIZED (
        SELECT policy_id, any_value(has_rules) AS has_rules, sum(hosts)::BIGINT AS hosts
        FROM crawled
        WHERE policy_id IS NOT NULL
        GROUP BY policy_id
    ),
    -- A row stands for this many parts with so many hosts each; domain is the first of them.
    parts AS MATERIALIZED (
        SELECT
            counted,
            'domain' AS of_what,
            min(domain) AS domain,
            NULL::BIGINT AS policy_id,
            if(domain_number IS NULL, sum(hosts), 1)::BIGINT AS times,
            if(domain_number IS NULL, 1, sum(hosts))::BIGINT AS hosts
        FROM counted
        GROUP BY counted, domain_number
        UNION ALL
        SELECT 1, 'policy', NULL, policy_id, 1, hosts FROM policy_hosts
        UNION ALL
        SELECT 2, 'policy', NULL, policy_id, 1, hosts FROM policy_hosts WHERE has_rules
        UNION ALL
        SELECT blocked.counted, 'policy', NULL, policy_id, 1, hosts FROM policy_hosts JOIN blocked USING (policy_id)
    ),
    summed AS (
        SELECT
            counted,
            of_what,
            sum(times * hosts)::BIGINT AS n,
            sum(times)::BIGINT AS parts,
            max(hosts) AS most,
            -- Where a row stands for several, these have one host each.
            max(hosts, 100) || repeat([1::BIGINT], least(max(times), 100) - 1) AS largest,
            sum(times * hosts::DOUBLE * hosts) AS squares
        FROM parts
        GROUP BY ALL
    ),
    first AS (
        SELECT counted, of_what, min(coalesce(domain, policy_id::VARCHAR)) AS part
        FROM parts
        JOIN summed USING (counted, of_what)
        WHERE hosts = most
        GROUP BY ALL
    )
    SELECT
        CASE summed.counted
            WHEN 1 THEN 'captured' WHEN 2 THEN 'with_rules' ELSE 'blocking ' || product_token || ' by name'
        END AS counted,
        of_what AS "of",
        parts,
        pct(most, n) AS pct_of_top_1,
        pct(list_sum(list_reverse_sort(largest)[:10]), n) AS pct_of_top_10,
        pct(list_sum(list_reverse_sort(largest)[:100]), n) AS pct_of_top_100,
        round(n::DOUBLE * n / squares, 1) AS effective,
        part AS top_1,
        n,
        CASE summed.counted
            WHEN 1 THEN 'captured' WHEN 2 THEN 'with_rules' ELSE 'blocking ' || product_token || ' by name'
        END AS population,
        'host' AS unit,
        known_crawl(crawl) AS crawl
    FROM summed
    JOIN first USING (counted, of_what)
    LEFT JOIN chosen ON chosen.counted = summed.counted
    ORDER BY least(summed.counted, 3), n DESC, population, of_what;
