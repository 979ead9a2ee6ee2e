-- Which AI crawlers are blocked together?
-- Keywords: combinations, lists of bots, blocked together, co-blocking.
-- Reproduces: combinations of blocks (thunderbit's AI crawler study); shared lists (Cui et al., CCS 2025).
-- Denominator: hosts that fully block an AI crawler of the catalogue by name (n). Each host counts in one set.
CREATE OR REPLACE MACRO ai_agent_sets(crawl := NULL, "by" := 'host', weights := NULL, top := 30) AS TABLE
    WITH sets AS (
        SELECT policy_id, string_agg(product_token, ' ' ORDER BY product_token) AS part
        FROM agents SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        WHERE restriction = 'full'
        GROUP BY policy_id
    ),
    population AS MATERIALIZED (
        SELECT hosts.* REPLACE ('blocking an AI crawler' AS population), part
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts JOIN sets USING (policy_id)
    )
    SELECT
        len(string_split(part, ' ')) AS ai_agents, hosts,
        share AS pct_of_blocking_hosts, pct_low, pct_high, policy_id AS policies, part AS product_tokens,
        n, population, unit, shares.crawl, note
    FROM summed_shares('population', 'population', distinct_of := ['policy_id']) AS shares
    ORDER BY hosts DESC, part
    LIMIT top;
