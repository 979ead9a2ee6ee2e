-- Where do the rules for AI crawlers and the signals about AI contradict each other?
--
-- Topic: Preferences.
-- Reproduces: contradictions between robots.txt rules and signals of maango.io's survey (6,317 of the
--   Tranco top 1M).
-- Denominator: hosts, each once per crawl, that state a preference about AI training (ai-train of
--   Content-Signal, train-ai of Content-Usage) in file or headers; rules are those that hold for the
--   crawler, by its own group, its fallback's or that for `*`. denied_but_allowed: training is denied
--   for the whole site, and every path allowed to the crawler; denied_but_partly_allowed: some are;
--   allowed_but_blocked: training is allowed, and no path allowed.
-- Parameters: crawl (the last one, by label), agents (the 12 agents for AI training that most policies
--   name).
CREATE OR REPLACE MACRO signal_conflicts(agents VARCHAR[] := NULL, crawl VARCHAR := NULL) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), (
        SELECT list(product_token) FROM (
            SELECT product_token FROM agent_catalog LEFT JOIN agents USING (product_token)
            WHERE category = 'ai training'
            GROUP BY product_token ORDER BY count(policy_id) DESC, product_token LIMIT 12
        )
    ))) AS product_token
    ),
    stated AS MATERIALIZED (
        SELECT
            url_host_name,
            bool_or(NOT allows AND path IS NULL) AS denies,
            bool_or(allows) AS allows
        FROM of_crawl('host_signals', crawl)
        WHERE preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL
        GROUP BY url_host_name
    )
    SELECT
        asked.product_token,
        count(stated.url_host_name) AS hosts_stating,
        count(*) FILTER (denies AND restriction = 'none') AS denied_but_allowed,
        count(*) FILTER (denies AND restriction = 'partial') AS denied_but_partly_allowed,
        count(*) FILTER (denies AND restriction = 'full') AS denied_and_blocked,
        count(*) FILTER (stated.allows AND restriction = 'full') AS allowed_but_blocked,
        count(*) FILTER (denies AND stated.allows) AS stated_both_ways,
        pct(
            count(*) FILTER ((denies AND restriction = 'none') OR (stated.allows AND restriction = 'full')),
            count(stated.url_host_name)
        ) AS pct_in_conflict
    FROM chosen AS asked
    LEFT JOIN (
        SELECT url_host_name, answering.product_token, coalesce(restriction, 'none') AS restriction
        FROM (
            SELECT url_host_name, policy_id, product_token
            FROM hosts_in('answered', crawl)
            SEMI JOIN stated USING (url_host_name)
            CROSS JOIN chosen
        ) AS answering
        LEFT JOIN effective_agents_of((SELECT list(product_token) FROM chosen)) AS effective
            ON effective.policy_id = answering.policy_id AND effective.product_token = answering.product_token
    ) AS answers USING (product_token)
    LEFT JOIN stated USING (url_host_name)
    GROUP BY asked.product_token
    ORDER BY pct_in_conflict DESC NULLS LAST, asked.product_token;
