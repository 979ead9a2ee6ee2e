-- Hosts that block one AI crawler, which others do they block?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts that block both GPTBot and ClaudeBot, or one of them, of maango.io; overlaps of
--   blocked AI crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that fully block at least one of the two by name
--   (hosts_either); pct_both is of these. A crawler counts as blocked by its own group alone.
-- Parameters: crawl (the last one, by label), agents (the 8 AI agents that most policies name).
CREATE OR REPLACE MACRO agent_pairs(agents VARCHAR[] := NULL, crawl VARCHAR := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    blocked AS (
        SELECT policy_id, product_token, hosts
        FROM agents
        JOIN (SELECT policy_id, count(*) AS hosts FROM hosts_in('with_rules', crawl) GROUP BY policy_id)
            USING (policy_id)
        WHERE restriction = 'full' AND product_token IN (FROM chosen)
    ),
    alone AS (
        SELECT product_token, coalesce(sum(hosts), 0)::BIGINT AS hosts
        FROM chosen
        LEFT JOIN blocked USING (product_token)
        GROUP BY product_token
    ),
    together AS (
        SELECT a.product_token AS agent, b.product_token AS other, sum(a.hosts)::BIGINT AS hosts
        FROM blocked AS a JOIN blocked AS b ON b.policy_id = a.policy_id AND a.product_token < b.product_token
        GROUP BY ALL
    )
    SELECT
        a.product_token AS agent,
        b.product_token AS other,
        coalesce(together.hosts, 0) AS hosts_both,
        a.hosts - coalesce(together.hosts, 0) AS hosts_agent_only,
        b.hosts - coalesce(together.hosts, 0) AS hosts_other_only,
        a.hosts + b.hosts - coalesce(together.hosts, 0) AS hosts_either,
        pct(coalesce(together.hosts, 0), a.hosts + b.hosts - coalesce(together.hosts, 0)) AS pct_both,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population
    FROM alone AS a
    JOIN alone AS b ON a.product_token < b.product_token
    LEFT JOIN together ON together.agent = a.product_token AND together.other = b.product_token
    ORDER BY hosts_both DESC, agent, other;
