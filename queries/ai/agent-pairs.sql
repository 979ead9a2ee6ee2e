-- Of the hosts that block one AI crawler, how many block another too?
-- Keywords: co-blocking, blocked together, correlation, overlap of two bots.
-- Reproduces: GPTBot, ClaudeBot or both blocked (maango.io); overlaps of blocks (Cui et al., CCS 2025).
-- Denominator: hosts that fully block `agent`, `other` or both by name (n); for pct_of_agent and pct_of_other, hosts
--   that block that one. Only a crawler's own group counts.
CREATE OR REPLACE MACRO agent_pairs(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH chosen AS MATERIALIZED (SELECT unnest(chosen_ai_agents(agents, 8)) AS product_token),
    pairs AS MATERIALIZED (
        SELECT {'agent': a.product_token, 'other': b.product_token} AS stratum
        FROM chosen AS a JOIN chosen AS b ON a.product_token < b.product_token
    ),
    blocking AS (
        SELECT policy_id, list(product_token ORDER BY product_token) AS blocked
        FROM agents SEMI JOIN chosen USING (product_token)
        WHERE restriction = 'full'
        GROUP BY policy_id
    ),
    blocking_either AS MATERIALIZED (
        SELECT
            stratum, true AS part, cluster, weight, alike,
            list_contains(blocked, stratum.agent) AS blocks_agent, list_contains(blocked, stratum.other) AS blocks_other
        FROM (
            -- Hosts that block the same crawlers are counted before they are joined with the pairs.
            SELECT cluster, weight, blocked, count(*) AS alike
            FROM hosts_by('with_rules', crawl, "by", weights) JOIN blocking USING (policy_id)
            GROUP BY ALL
        )
        JOIN pairs ON list_has_any(blocked, [stratum.agent, stratum.other])
    ),
    blocking_agent AS (FROM blocking_either WHERE blocks_agent),
    blocking_other AS (FROM blocking_either WHERE blocks_other),
    blocking_both AS (FROM blocking_either WHERE blocks_agent AND blocks_other)
    SELECT
        stratum.agent AS agent, stratum.other AS other,
        coalesce(of_either.hosts, 0) AS hosts_both,
        coalesce(of_either.n, 0) - coalesce(of_other.n, 0) AS hosts_agent_only,
        coalesce(of_either.n, 0) - coalesce(of_agent.n, 0) AS hosts_other_only,
        of_either.share AS pct_both, of_either.pct_low, of_either.pct_high,
        of_agent.share AS pct_of_agent, of_agent.pct_low AS pct_of_agent_low, of_agent.pct_high AS pct_of_agent_high,
        of_other.share AS pct_of_other, of_other.pct_low AS pct_of_other_low, of_other.pct_high AS pct_of_other_high,
        coalesce(of_either.n, 0) AS n,
        'blocking either' AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        joined_notes([
            named_announcement(stratum.agent, known_crawl(crawl)),
            named_announcement(stratum.other, known_crawl(crawl)),
            of_either.note
        ]) AS note
    FROM pairs
    LEFT JOIN shares('blocking_both', 'blocking_either', 'one_part') AS of_either USING (stratum)
    LEFT JOIN shares('blocking_both', 'blocking_agent', 'one_part') AS of_agent USING (stratum)
    LEFT JOIN shares('blocking_both', 'blocking_other', 'one_part') AS of_other USING (stratum)
    ORDER BY hosts_both DESC, agent, other;
