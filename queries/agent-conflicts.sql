-- Where is one crawler shut out while a crawler of the same kind, or of the same operator, is let in?
--
-- Topic: AI crawlers together.
-- Reproduces: "block CCBot, allow Googlebot" of thunderbit's AI crawler study; training blocked but
--   search allowed of Cloudflare's reports; conflicts between crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that settled the question: with a file, or without one.
--   shut_out: no path is open; let_in: some path is. Own group first, then fallback, then `*`.
-- Parameters: crawl (the last one, by label), pairs (a list of [shut out, let in]), by (host;
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
        SELECT token_of(pair[1]) AS shut_out, token_of(pair[2]) AS let_in FROM (SELECT unnest(pairs) AS pair)
    ),
    settled AS (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('answered', crawl, "by", weights)
        GROUP BY policy_id
    ),
    answers AS (
        SELECT policy_id, product_token, restriction = 'full' AS is_shut_out
        FROM effective_agents_of(known_tokens(flatten(pairs)))
    ),
    judged AS (
        SELECT
            shut_out,
            let_in,
            hosts,
            weight,
            coalesce(a.is_shut_out, false) AS first_shut_out,
            coalesce(b.is_shut_out, false) AS second_shut_out
        FROM settled
        CROSS JOIN asked
        LEFT JOIN answers AS a ON a.policy_id = settled.policy_id AND a.product_token = shut_out
        LEFT JOIN answers AS b ON b.policy_id = settled.policy_id AND b.product_token = let_in
    )
    SELECT
        shut_out,
        let_in,
        sum(hosts)::BIGINT AS hosts,
        coalesce(sum(hosts) FILTER (first_shut_out AND NOT second_shut_out), 0)::BIGINT AS hosts_in_conflict,
        pct(coalesce(sum(weight) FILTER (first_shut_out AND NOT second_shut_out), 0), sum(weight)) AS pct_of_hosts,
        coalesce(sum(hosts) FILTER (first_shut_out AND second_shut_out), 0)::BIGINT AS hosts_shutting_out_both,
        coalesce(sum(hosts) FILTER (NOT first_shut_out AND second_shut_out), 0)::BIGINT AS hosts_the_other_way_round,
        (SELECT count(*) FROM of_crawl('hosts_answered', crawl)) AS n,
        'answered' AS population,
        "by" AS unit
    FROM judged
    GROUP BY shut_out, let_in
    ORDER BY hosts_in_conflict DESC, shut_out, let_in;
