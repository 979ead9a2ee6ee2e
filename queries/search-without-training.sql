-- Which hosts allow AI search or search engines, and block AI training?
--
-- Topic: AI crawlers together.
-- Reproduces: training blocked but search allowed of Cloudflare's reports, with the hosts.
-- Denominator: none; a row for each host, once per crawl, that answered conclusively and blocks every one
--   of the training agents fully, while no search agent is blocked fully. by_name: all training agents
--   in groups of their own. signal_search and signal_training are what its content signals say.
-- Parameters: training (['gptbot', 'claudebot', 'ccbot', 'google-extended']; agents blocked), search
--   (['googlebot', 'oai-searchbot', 'claude-searchbot']; agents allowed), crawl (the last one, by label),
--   top (1000000).
CREATE OR REPLACE MACRO search_without_training(
    training VARCHAR[] := ['gptbot', 'claudebot', 'ccbot', 'google-extended'],
    search VARCHAR[] := ['googlebot', 'oai-searchbot', 'claude-searchbot'],
    crawl VARCHAR := NULL,
    top INTEGER := 1000000
) AS TABLE
    WITH blocked AS (
        SELECT policy_id, bool_and(source = 'own') AS by_name
        FROM effective_agents_of(known_tokens(training))
        GROUP BY policy_id
        HAVING bool_and(restriction = 'full')
    ),
    allowed AS (
        SELECT policy_id
        FROM effective_agents_of(known_tokens(search))
        GROUP BY policy_id
        HAVING bool_and(restriction <> 'full')
    ),
    signals AS (
        SELECT
            policy_id,
            max(value) FILTER (preference = 'search') AS signal_search,
            max(value) FILTER (preference IN ('ai-train', 'train-ai')) AS signal_training
        FROM preferences
        WHERE vocabulary IN ('content-signal', 'content-usage')
        GROUP BY policy_id
    )
    SELECT url_host_name, domain, by_name, platform, signal_search, signal_training, policy_id
    FROM of_crawl('hosts_answered', crawl)
    JOIN blocked USING (policy_id)
    SEMI JOIN allowed USING (policy_id)
    LEFT JOIN signals USING (policy_id)
    ORDER BY domain, url_host_name
    LIMIT top;
