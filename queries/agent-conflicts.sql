-- Where is one crawler blocked while a crawler of the same kind, or of the same operator, is allowed?
--
-- Topic: AI crawlers together.
-- Reproduces: "block CCBot, allow Googlebot" of thunderbit's AI crawler study; training blocked but
--   search allowed of Cloudflare's reports; conflicts between crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one.
--   blocked: no path is allowed; allowed: some path is. Own group first, then fallback, then `*`.
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
    settled AS (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('answered', crawl, "by", weights)
        GROUP BY policy_id
    ),
    answers AS (
        SELECT policy_id, product_token, restriction = 'full' AS is_blocked
        FROM effective_agents_of(known_tokens(flatten(pairs)))
    ),
    judged AS (
        SELECT
            blocked,
            allowed,
            hosts,
            weight,
            coalesce(a.is_blocked, false) AS first_blocked,
            coalesce(b.is_blocked, false) AS second_blocked
        FROM settled
        CROSS JOIN asked
        LEFT JOIN answers AS a ON a.policy_id = settled.policy_id AND a.product_token = blocked
        LEFT JOIN answers AS b ON b.policy_id = settled.policy_id AND b.product_token = allowed
    )
    SELECT
        blocked,
        allowed,
        sum(hosts)::BIGINT AS hosts,
        coalesce(sum(hosts) FILTER (first_blocked AND NOT second_blocked), 0)::BIGINT AS hosts_in_conflict,
        pct(coalesce(sum(weight) FILTER (first_blocked AND NOT second_blocked), 0), sum(weight)) AS pct_of_hosts,
        coalesce(sum(hosts) FILTER (first_blocked AND second_blocked), 0)::BIGINT AS hosts_blocking_both,
        coalesce(sum(hosts) FILTER (NOT first_blocked AND second_blocked), 0)::BIGINT AS hosts_the_other_way_round,
        (SELECT count(*) FROM of_crawl('hosts_answered', crawl)) AS n,
        'answered' AS population,
        "by" AS unit
    FROM judged
    GROUP BY blocked, allowed
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
