-- Which AI crawlers are blocked together?
--
-- Topic: AI crawlers together.
-- Reproduces: combinations of blocked AI crawlers of thunderbit's AI crawler study; shared lists of
--   Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that fully block at least one AI agent of the
--   catalogue by name. A set is all that a host blocks so.
-- Parameters: crawl (the last one, by label), top (30).
CREATE OR REPLACE MACRO ai_agent_sets(crawl VARCHAR := NULL, top INTEGER := 30) AS TABLE
    WITH sets AS (
        SELECT policy_id, list(product_token ORDER BY product_token) AS agents
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        WHERE restriction = 'full'
        GROUP BY policy_id
    )
    SELECT
        len(agents) AS ai_agents,
        count(*) AS hosts,
        pct(count(*), sum(count(*)) OVER ()) AS pct_of_blocking_hosts,
        count(DISTINCT policy_id) AS policies,
        array_to_string(agents, ' ') AS product_tokens,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population
    FROM hosts_in('with_rules', crawl)
    JOIN sets USING (policy_id)
    GROUP BY agents
    ORDER BY hosts DESC, product_tokens
    LIMIT top;
