-- Which hosts allow AI search or search engines, and block AI training?
--
-- Topic: AI crawlers together.
-- Reproduces: training blocked but search allowed of Cloudflare's reports, with the hosts.
-- Denominator: none; a row for each host, once per crawl, that answered conclusively and blocks every one
--   of the training agents fully, while no search agent is blocked fully. by_name: all training agents
--   in groups of their own. signal_search and signal_training are what its content signals say to
--   every crawler.
-- Parameters: training (['gptbot', 'claudebot', 'google-extended']; agents blocked), search
--   (['googlebot', 'oai-searchbot', 'claude-searchbot']; agents allowed), crawl (the last one in time),
--   top (1000000).
CREATE OR REPLACE MACRO search_without_training(
    training VARCHAR[] := ['gptbot', 'claudebot', 'google-extended'],
    search VARCHAR[] := ['googlebot', 'oai-searchbot', 'claude-searchbot'],
    crawl VARCHAR := NULL,
    top INTEGER := 1000000
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT known_tokens(training) AS to_block, known_tokens(search) AS to_allow
    ),
    training_named AS MATERIALIZED (
        FROM named_agents_of((SELECT to_block FROM chosen))
    ),
    search_named AS MATERIALIZED (
        FROM named_agents_of((SELECT to_allow FROM chosen))
    ),
    everybody AS (
        SELECT policy_id FROM agents WHERE product_token = '*' AND restriction = 'full'
    ),
    -- A host that names no training agent blocks them all together with all others.
    training_asked AS (
        SELECT count(*) AS agents, count(*) FILTER (obeys_wildcard) AS obeying
        FROM asked_agents((SELECT to_block FROM chosen))
    ),
    search_asked AS (
        SELECT count(*) FILTER (obeys_wildcard) AS obeying FROM asked_agents((SELECT to_allow FROM chosen))
    ),
    blocked AS (
        SELECT
            training_named.policy_id,
            count(*) FILTER (source = 'own') = any_value(agents) AS by_name
        FROM training_named
        CROSS JOIN training_asked
        LEFT JOIN everybody ON everybody.policy_id = training_named.policy_id
        GROUP BY training_named.policy_id
        HAVING bool_and(restriction = 'full')
            AND (count(*) = any_value(agents) OR (
                count(everybody.policy_id) > 0
                AND any_value(obeying) - count(*) FILTER (obeys_wildcard) = any_value(agents) - count(*)
            ))
        UNION ALL
        SELECT policy_id, false
        FROM everybody
        CROSS JOIN training_asked
        ANTI JOIN training_named USING (policy_id)
        WHERE obeying = agents
    ),
    -- Policies that block a search agent.
    unsearchable AS (
        SELECT policy_id FROM search_named WHERE restriction = 'full'
        UNION ALL
        SELECT everybody.policy_id
        FROM everybody
        CROSS JOIN search_asked
        LEFT JOIN search_named ON search_named.policy_id = everybody.policy_id
        GROUP BY everybody.policy_id
        HAVING any_value(obeying) > count(*) FILTER (search_named.obeys_wildcard)
    ),
    signals AS (
        SELECT
            policy_id,
            max(value) FILTER (preference = 'search') AS signal_search,
            max(value) FILTER (preference IN ('ai-train', 'train-ai')) AS signal_training
        FROM effective_preferences('*')
        WHERE vocabulary IN ('content-signal', 'content-usage')
        GROUP BY policy_id
    )
    SELECT
        url_host_name,
        domain,
        by_name,
        platform,
        signal_search,
        signal_training,
        hosts.policy_id,
        known_crawl(crawl) AS crawl
    FROM hosts_in('answered', crawl) AS hosts
    JOIN blocked USING (policy_id)
    ANTI JOIN unsearchable USING (policy_id)
    LEFT JOIN signals USING (policy_id)
    LEFT JOIN files ON files.file_id = hosts.file_id
    ORDER BY domain, url_host_name
    LIMIT top;
