-- Where do the rules for AI crawlers and the signals about AI contradict each other?
-- Keywords: inconsistent, ai-train, contradiction, rules against signals.
-- Reproduces: contradictions between robots.txt rules and signals (maango.io's survey: 6,317 of the Tranco top 1M).
-- Denominator: hosts that gave a usable answer and state, for the whole site, a preference about AI training that
--   holds for the crawler (n), in the file or in a header of the response; a host may both deny and allow training
--   (stated_both_ways). denied_but_allowed: training is denied, but every path is allowed; denied_but_partly_allowed:
--   training is denied, but some paths are allowed; allowed_but_blocked: training is allowed, but no path is.
--   in_conflict: denied_but_allowed or allowed_but_blocked.
-- Parameters: agents: by default, of the crawlers whose operators name AI training, the 12 that the most policies name.
CREATE OR REPLACE MACRO signal_conflicts(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT coalesce(known_tokens(agents), list(product_token ORDER BY policies DESC, product_token)[:12]) AS tokens
        FROM (
            SELECT product_token, count(policy_id) AS policies
            FROM agent_kinds LEFT JOIN (FROM agents SEMI JOIN files USING (policy_id)) USING (product_token)
            WHERE category = 'ai training'
            GROUP BY product_token
        )
    ),
    stating AS (
        SELECT url_host_name, product_token, bool_or(NOT allows) AS denies, bool_or(allows) AS permits
        FROM (
            SELECT url_host_name, product_token, preference, allows, path
            FROM of_crawl('hosts', crawl)
            JOIN effective_preferences_of((SELECT tokens FROM chosen)) USING (policy_id)
            UNION ALL
            SELECT url_host_name, unnest((SELECT tokens FROM chosen)), preference, allows, path
            FROM of_crawl('stated_signals', crawl)
            WHERE source = 'header'
        )
        WHERE preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL AND coalesce(path, '/') IN ('/', '/*')
        GROUP BY ALL
    ),
    -- By domain, a host's weight is 1 divided by the number of its domain's hosts that answered.
    population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (product_token AS stratum), true AS part, coalesce(restriction, 'none') AS answer,
            denies AND answer = 'none' AS denied_but_allowed,
            denies AND answer = 'partial' AS denied_but_partly_allowed,
            denies AND answer = 'full' AS denied_and_blocked,
            permits AND answer = 'full' AS allowed_but_blocked,
            denies AND permits AS stated_both_ways,
            denied_but_allowed OR allowed_but_blocked AS in_conflict
        FROM hosts_by('answered', crawl, "by", weights) AS hosts
        JOIN stating USING (url_host_name)
        LEFT JOIN (FROM effective_agents_of((SELECT tokens FROM chosen)) WHERE restriction <> 'none')
            USING (policy_id, product_token)
    ),
    conflicting AS (FROM population WHERE in_conflict),
    counts AS (
        SELECT
            stratum,
            count_if(COLUMNS('^denied_|^allowed_|^stated_')),
            count(DISTINCT domain) FILTER (in_conflict) AS domains_in_conflict,
            count(DISTINCT domain) AS n_domains
        FROM population
        GROUP BY stratum
    )
    SELECT
        product_token,
        coalesce(COLUMNS('^denied_|^allowed_|^stated_'), 0),
        coalesce(hosts, 0) AS hosts_in_conflict, coalesce(domains_in_conflict, 0) AS domains_in_conflict,
        share AS pct_in_conflict, pct_low, pct_high,
        coalesce(n, 0) AS n, coalesce(n_domains, 0) AS n_domains,
        'stating a preference about training to the crawler' AS population,
        "by" AS unit, known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(product_token, known_crawl(crawl)), header_note(crawl), note]) AS note
    FROM (SELECT unnest(tokens) AS product_token FROM chosen)
    LEFT JOIN counts ON counts.stratum = product_token
    LEFT JOIN shares('conflicting', 'population', 'one_part') AS shares ON shares.stratum = product_token
    ORDER BY pct_in_conflict DESC NULLS LAST, product_token;
