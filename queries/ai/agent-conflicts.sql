-- How many hosts block one crawler but allow another, such as a crawler of the same operator?
-- Keywords: allow Google but block others, let in, same operator, inconsistent.
-- Reproduces: "block CCBot, allow Googlebot" (thunderbit's AI crawler study); training blocked but
--   search allowed (Cloudflare's reports); conflicts between crawlers (Cui et al., CCS 2025).
-- Denominator: hosts that gave a usable answer (n). A crawler is blocked if the group that applies to it allows no
--   path; otherwise it is allowed.
-- Parameters: pairs: a list of [blocked, allowed].
CREATE OR REPLACE MACRO agent_conflicts(
    pairs VARCHAR[][] := [
        ['ccbot', 'googlebot'], ['gptbot', 'googlebot'], ['gptbot', 'oai-searchbot'], ['gptbot', 'chatgpt-user'],
        ['gptbot', 'ccbot'], ['gptbot', 'claudebot'], ['claudebot', 'claude-searchbot'],
        ['claudebot', 'claude-user'], ['anthropic-ai', 'claudebot'], ['google-extended', 'googlebot'],
        ['applebot-extended', 'applebot'], ['meta-externalagent', 'meta-externalfetcher'],
        ['perplexitybot', 'perplexity-user'], ['bytespider', 'googlebot']
    ],
    crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH asked AS MATERIALIZED (
        SELECT DISTINCT {'blocked': token_of(pair[1]), 'allowed': token_of(pair[2])} AS part
        FROM (SELECT unnest(pairs) AS pair)
        WHERE if(
            len(pair) = 2 AND token_of(pair[1]) <> token_of(pair[2]), true,
            error('pairs takes lists of two crawlers, as in pairs=[[gptbot,googlebot]], not ' || pair::VARCHAR)
        )
    ),
    population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights)),
    blocking AS (
        SELECT policy_id, list(product_token) AS blocked
        FROM blocking_policies(known_tokens(flatten(pairs)))
        GROUP BY policy_id
    ),
    blocking_one AS MATERIALIZED (
        SELECT
            population.*, part,
            list_contains(blocked, part.blocked) AS blocks_first, list_contains(blocked, part.allowed) AS blocks_second,
            blocks_first AND NOT blocks_second AS in_conflict,
            blocks_first AND blocks_second AS blocks_both,
            blocks_second AND NOT blocks_first AS reverse
        FROM population JOIN blocking USING (policy_id) CROSS JOIN asked
        WHERE blocks_first OR blocks_second
    )
    SELECT
        part.blocked AS blocked, part.allowed AS allowed, found['in_conflict'].hosts AS hosts_in_conflict,
        found['in_conflict'].share AS pct_of_hosts,
        found['in_conflict'].low AS pct_low, found['in_conflict'].high AS pct_high,
        found['blocks_both'].hosts AS hosts_blocking_both, found['reverse'].hosts AS hosts_the_other_way_round,
        n, population, unit, shares.crawl,
        joined_notes([
            named_announcement(part.blocked, shares.crawl), named_announcement(part.allowed, shares.crawl),
            found['in_conflict'].note
        ]) AS note
    FROM shares_of_answers('blocking_one', 'population', ['in_conflict', 'blocks_both', 'reverse'], 'asked') AS shares
    ORDER BY hosts_in_conflict DESC, blocked, allowed;
