-- Which hosts allow AI search or search engines, and block AI training?
-- Keywords: let Google in but not others, allow search, block AI, Googlebot only.
-- Reproduces: training blocked but search allowed (Cloudflare's reports), with the hosts.
-- Denominator: none; a row for each host that gave a usable answer and fully blocks every training
--   agent, but no search agent. by_name: each training agent is blocked by its own group.
--   signal_search, signal_training: the values that the file's Content-Signal or Content-Usage
--   gives every crawler for the whole site; if they differ, a value that denies.
-- Parameters: training: the agents blocked; search: the agents allowed.
CREATE OR REPLACE MACRO search_without_training(
    training := ['gptbot', 'claudebot', 'google-extended'],
    search := ['googlebot', 'oai-searchbot', 'claude-searchbot'], crawl := NULL, top := 1000000
) AS TABLE
    WITH policies_chosen AS (
        SELECT policy_id, bool_and(source = 'own') FILTER (list_contains(known_tokens(training), product_token)) AS by_name
        FROM effective_agents_of(list_distinct(known_tokens(training) || known_tokens(search)))
        GROUP BY policy_id
        HAVING bool_and(restriction = 'full') FILTER (list_contains(known_tokens(training), product_token))
            AND NOT bool_or(restriction = 'full') FILTER (list_contains(known_tokens(search), product_token))
    ),
    signals AS (
        SELECT
            policy_id,
            first(value ORDER BY allows NULLS LAST, value) FILTER (preference = 'search') AS signal_search,
            first(value ORDER BY allows NULLS LAST, value) FILTER (preference IN ('ai-train', 'train-ai'))
                AS signal_training
        FROM effective_preferences('*')
        WHERE vocabulary IN ('content-signal', 'content-usage') AND coalesce(path, '/') IN ('/', '/*')
        GROUP BY policy_id
    )
    SELECT
        url_host_name, domain, by_name, platform, signal_search, signal_training, hosts.policy_id,
        known_crawl(crawl) AS crawl
    FROM hosts_in('answered', crawl) AS hosts
    JOIN policies_chosen USING (policy_id)
    LEFT JOIN signals USING (policy_id)
    LEFT JOIN files ON files.file_id = hosts.file_id
    ORDER BY domain, url_host_name
    LIMIT top;
