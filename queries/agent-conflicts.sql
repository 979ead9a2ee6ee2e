-- Where is one crawler blocked while a crawler of the same kind, or of the same operator, is allowed?
--
-- Topic: AI crawlers together.
-- Reproduces: "block CCBot, allow Googlebot" of thunderbit's AI crawler study; training blocked but
--   search allowed of Cloudflare's reports; conflicts between crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one.
--   blocked: no path is allowed; allowed: some path is. Own group first, then fallback, then `*`.
--   Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), pairs (a list of [blocked, allowed]), by (host;
--   domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet file of
--   domain and weight).
CREATE OR REPLACE MACRO agent_conflicts(
    pairs VARCHAR[][] := [
        ['ccbot', 'googlebot'],
        ['gptbot', 'googlebot'],
        ['gptbot', 'oai-searchbot'],
        ['gptbot', 'chatgpt-user'],
        ['gptbot', 'ccbot'],
        ['gptbot', 'claudebot'],
        ['claudebot', 'claude-searchbot'],
        ['claudebot', 'claude-user'],
        ['anthropic-ai', 'claudebot'],
        ['google-extended', 'googlebot'],
        ['applebot-extended', 'applebot'],
        ['meta-externalagent', 'meta-externalfetcher'],
        ['perplexitybot', 'perplexity-user'],
        ['bytespider', 'googlebot']
    ],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH asked AS (
        SELECT token_of(pair[1]) AS blocked, token_of(pair[2]) AS allowed FROM (SELECT unnest(pairs) AS pair)
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('answered', crawl, "by", weights)
        GROUP BY ALL
    ),
    settled AS MATERIALIZED (
        SELECT policy_id, hosts, weight, coalesce(restriction = 'full', false) AS is_blocked
        FROM (SELECT policy_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY policy_id)
        LEFT JOIN (FROM agents WHERE product_token = '*') AS everybody USING (policy_id)
    ),
    named AS MATERIALIZED (
        SELECT policy_id, product_token, restriction = 'full' AS is_blocked
        FROM named_agents_of(known_tokens(flatten(pairs)))
        SEMI JOIN settled USING (policy_id)
    ),
    obeying AS (
        FROM asked_agents(known_tokens(flatten(pairs)))
    ),
    -- Policies that have a group for one of a pair, with what holds for each of the two.
    in_pairs AS (
        SELECT
            blocked,
            allowed,
            policy_id,
            bool_or(named.is_blocked) FILTER (product_token = blocked) AS first_blocked,
            bool_or(named.is_blocked) FILTER (product_token = allowed) AS second_blocked
        FROM (SELECT *, blocked AS product_token FROM asked UNION SELECT *, allowed FROM asked)
        JOIN named USING (product_token)
        GROUP BY ALL
    ),
    -- Policies by which the first is blocked and the second is not.
    in_conflict AS MATERIALIZED (
        SELECT blocked || ' ' || allowed AS part, policy_id
        FROM in_pairs
        JOIN settled USING (policy_id)
        JOIN obeying AS first ON first.product_token = blocked
        JOIN obeying AS second ON second.product_token = allowed
        WHERE coalesce(first_blocked, is_blocked AND first.obeys_wildcard)
            AND NOT coalesce(second_blocked, is_blocked AND second.obeys_wildcard)
        UNION ALL
        SELECT asked.blocked || ' ' || asked.allowed, settled.policy_id
        FROM asked
        JOIN obeying AS first ON first.product_token = asked.blocked
        JOIN obeying AS second ON second.product_token = asked.allowed
        CROSS JOIN settled
        ANTI JOIN in_pairs
            ON in_pairs.policy_id = settled.policy_id
            AND in_pairs.blocked = asked.blocked
            AND in_pairs.allowed = asked.allowed
        WHERE is_blocked AND first.obeys_wildcard AND NOT second.obeys_wildcard
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, hosts, weight, squares FROM in_conflict JOIN of_clusters USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters'
        )
    ),
    judged AS (
        SELECT
            blocked,
            allowed,
            hosts,
            weight,
            coalesce(first_blocked, is_blocked AND first.obeys_wildcard) AS first_blocked,
            coalesce(second_blocked, is_blocked AND second.obeys_wildcard) AS second_blocked
        FROM in_pairs
        JOIN settled USING (policy_id)
        JOIN obeying AS first ON first.product_token = blocked
        JOIN obeying AS second ON second.product_token = allowed
        UNION ALL
        SELECT
            blocked,
            allowed,
            sum(hosts),
            sum(weight),
            is_blocked AND first.obeys_wildcard,
            is_blocked AND second.obeys_wildcard
        FROM (SELECT is_blocked, sum(hosts) AS hosts, sum(weight) AS weight FROM settled GROUP BY is_blocked)
        CROSS JOIN asked
        JOIN obeying AS first ON first.product_token = blocked
        JOIN obeying AS second ON second.product_token = allowed
        GROUP BY ALL
        UNION ALL
        -- Those that have one have been counted with the others.
        SELECT
            blocked,
            allowed,
            -sum(hosts),
            -sum(weight),
            is_blocked AND first.obeys_wildcard,
            is_blocked AND second.obeys_wildcard
        FROM in_pairs
        JOIN settled USING (policy_id)
        JOIN obeying AS first ON first.product_token = blocked
        JOIN obeying AS second ON second.product_token = allowed
        GROUP BY ALL
    )
    SELECT
        blocked,
        allowed,
        coalesce(sum(hosts) FILTER (first_blocked AND NOT second_blocked), 0)::BIGINT AS hosts_in_conflict,
        pct(coalesce(sum(weight) FILTER (first_blocked AND NOT second_blocked), 0), sum(weight)) AS pct_of_hosts,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        coalesce(sum(hosts) FILTER (first_blocked AND second_blocked), 0)::BIGINT AS hosts_blocking_both,
        coalesce(sum(hosts) FILTER (NOT first_blocked AND second_blocked), 0)::BIGINT AS hosts_the_other_way_round,
        sum(hosts)::BIGINT AS n,
        'answered' AS population,
        "by" AS unit
    FROM judged
    LEFT JOIN shares ON part = blocked || ' ' || allowed
    GROUP BY blocked, allowed
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
