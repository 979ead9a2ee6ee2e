-- Hosts that block one AI crawler, which others do they block?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts that block both GPTBot and ClaudeBot, or one of them, of maango.io; overlaps of
--   blocked AI crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that fully block at least one of the two by name
--   (n); pct_both is of these. A crawler counts as blocked by its own group alone. 95%
--   intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), agents (the 8 AI agents that most policies name), by (host;
--   domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet file of domain
--   and weight).
CREATE OR REPLACE MACRO agent_pairs(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT tokens[number] AS product_token, number, set_bit(repeat('0', len(tokens))::BIT, number - 1, 1) AS mark
        FROM (
            SELECT tokens, generate_subscripts(tokens, 1)::INTEGER AS number
            FROM (SELECT coalesce(known_tokens(agents), usual_ai_agents(8)) AS tokens)
        )
    ),
    -- Policies that block the same crawlers are alike: a bit for each.
    of_clusters AS (
        SELECT cluster, agents_blocked, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        JOIN (
            SELECT policy_id, bit_or(mark) AS agents_blocked
            FROM agents
            JOIN chosen ON chosen.product_token = token_as_read(agents.product_token)
            WHERE restriction = 'full'
            GROUP BY policy_id
        ) USING (policy_id)
        GROUP BY ALL
    ),
    pairs AS MATERIALIZED (
        SELECT
            a.product_token AS agent,
            b.product_token AS other,
            a.number AS agent_number,
            b.number AS other_number
        FROM chosen AS a
        JOIN chosen AS b ON a.product_token < b.product_token
    ),
    counted AS MATERIALIZED (
        SELECT
            agent || ' ' || other AS stratum,
            cluster,
            get_bit(agents_blocked, agent_number - 1) = 1 AS blocks_agent,
            get_bit(agents_blocked, other_number - 1) = 1 AS blocks_other,
            sum(hosts) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM of_clusters
        CROSS JOIN pairs
        WHERE blocks_agent OR blocks_other
        GROUP BY ALL
    ),
    sums AS (
        SELECT
            stratum,
            coalesce(sum(hosts) FILTER (blocks_agent AND blocks_other), 0)::BIGINT AS hosts_both,
            coalesce(sum(hosts) FILTER (NOT blocks_other), 0)::BIGINT AS hosts_agent_only,
            coalesce(sum(hosts) FILTER (NOT blocks_agent), 0)::BIGINT AS hosts_other_only,
            pct(coalesce(sum(weight) FILTER (blocks_agent AND blocks_other), 0), sum(weight)) AS pct_both,
            sum(hosts)::BIGINT AS n
        FROM counted
        GROUP BY stratum
    ),
    shares AS (
        FROM shares_of(
            'SELECT *, true AS part FROM counted WHERE blocks_agent AND blocks_other',
            'FROM counted',
            'SELECT true AS part'
        )
    )
    SELECT
        agent,
        other,
        coalesce(hosts_both, 0) AS hosts_both,
        coalesce(hosts_agent_only, 0) AS hosts_agent_only,
        coalesce(hosts_other_only, 0) AS hosts_other_only,
        pct_both,
        low AS pct_low,
        high AS pct_high,
        coalesce(n, 0) AS n,
        'blocking either' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(
            joined_notes(
                named_announcement(agent, known_crawl(crawl)),
                named_announcement(other, known_crawl(crawl))
            ),
            note
        ) AS note
    FROM pairs
    LEFT JOIN sums ON sums.stratum = agent || ' ' || other
    LEFT JOIN shares ON shares.stratum = sums.stratum
    ORDER BY hosts_both DESC, agent, other;
