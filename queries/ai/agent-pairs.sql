-- Hosts that block one AI crawler, which others do they block?
--
-- Topic: AI crawlers together.
-- Keywords: co-blocking, blocked together, correlation, overlap of two bots.
-- Reproduces: hosts that block both GPTBot and ClaudeBot, or one of them, of maango.io; overlaps of
--   blocked AI crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that fully block at least one of the two by name (n);
--   pct_both is of these. A crawler counts as blocked by its own group alone.
-- Parameters: crawl, agents (the 8 AI agents that most policies name), by, weights.
CREATE OR REPLACE MACRO agent_pairs(
    agents := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    ),
    pairs AS MATERIALIZED (
        SELECT {'agent': a.product_token, 'other': b.product_token} AS pair
        FROM chosen AS a
        JOIN chosen AS b ON a.product_token < b.product_token
    ),
    policies_blocking AS (
        SELECT
            pair,
            policy_id,
            bool_or(product_token = pair.agent) AS blocks_agent,
            bool_or(product_token = pair.other) AS blocks_other
        FROM pairs
        JOIN agents ON product_token IN (pair.agent, pair.other)
        WHERE restriction = 'full'
        GROUP BY ALL
    ),
    blocking_either AS MATERIALIZED (
        SELECT hosts.* REPLACE (pair AS stratum), true AS part, blocks_agent, blocks_other
        FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
        JOIN policies_blocking USING (policy_id)
    ),
    blocking_both AS (FROM blocking_either WHERE blocks_agent AND blocks_other),
    counted AS (
        SELECT
            stratum,
            count(*) FILTER (NOT blocks_other) AS hosts_agent_only,
            count(*) FILTER (NOT blocks_agent) AS hosts_other_only
        FROM blocking_either
        GROUP BY stratum
    )
    SELECT
        pair.agent AS agent,
        pair.other AS other,
        coalesce(hosts, 0) AS hosts_both,
        coalesce(hosts_agent_only, 0) AS hosts_agent_only,
        coalesce(hosts_other_only, 0) AS hosts_other_only,
        share AS pct_both,
        low AS pct_low,
        high AS pct_high,
        coalesce(n, 0) AS n,
        'blocking either' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([
            named_announcement(pair.agent, known_crawl(crawl)),
            named_announcement(pair.other, known_crawl(crawl)),
            note
        ]) AS note
    FROM pairs
    LEFT JOIN shares('blocking_both', 'blocking_either', 'one_part') AS shares ON shares.stratum = pair
    LEFT JOIN counted ON counted.stratum = pair
    ORDER BY hosts_both DESC, agent, other;
