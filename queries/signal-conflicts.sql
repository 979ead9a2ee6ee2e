-- Where do the rules for AI crawlers and the signals about AI contradict each other?
--
-- Topic: Preferences.
-- Reproduces: contradictions between robots.txt rules and signals of maango.io's survey (6,317 of the
--   Tranco top 1M).
-- Denominator: hosts, each once per crawl, that answered conclusively and state a preference about AI
--   training (ai-train of Content-Signal, train-ai of Content-Usage) that holds for the crawler (n), and
--   their registrable domains (n_domains). A preference in the file holds for the crawlers of its group,
--   one in a header of the last response for every crawler. Rules and preferences come from the crawler's
--   own group, else from its fallback's or the one for `*`. denied_but_allowed: training is denied
--   for the whole site, and every path allowed to the crawler; denied_but_partly_allowed: some are;
--   allowed_but_blocked: training is allowed, and no path allowed. In conflict are
--   the first and the last; hosts_in_conflict and domains_in_conflict (with such a host) count them.
--   95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), agents (of those whose operators name AI training the 12 that most
--   policies name), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet
--   file of domain and weight).
CREATE OR REPLACE MACRO signal_conflicts(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), (
            SELECT list(product_token) FROM (
                SELECT product_token
                FROM agent_kinds
                LEFT JOIN (SELECT product_token, count(*) AS policies FROM agents GROUP BY product_token) AS named
                    USING (product_token)
                WHERE category = 'ai training'
                ORDER BY coalesce(policies, 0) DESC, product_token
                LIMIT 12
            )
        ))) AS product_token
    ),
    asked AS MATERIALIZED (
        FROM asked_agents((SELECT list(product_token) FROM chosen))
    ),
    in_files AS MATERIALIZED (
        SELECT policy_id, product_token, bool_or(NOT allows AND path IS NULL) AS denies, bool_or(allows) AS permits
        FROM effective_preferences_of((SELECT list(product_token) FROM asked))
        WHERE preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL
        GROUP BY ALL
    ),
    in_headers AS (
        SELECT url_host_name, bool_or(NOT allows) AS denies, bool_or(allows) AS permits
        FROM of_crawl('stated_signals', crawl)
        WHERE source = 'header' AND preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL
        GROUP BY url_host_name
    ),
    stated AS MATERIALIZED (
        SELECT url_host_name, product_token, bool_or(denies) AS denies, bool_or(permits) AS permits
        FROM (
            SELECT url_host_name, product_token, denies, permits
            FROM of_crawl('hosts', crawl)
            JOIN in_files USING (policy_id)
            UNION ALL
            SELECT url_host_name, product_token, denies, permits FROM in_headers CROSS JOIN asked
        )
        GROUP BY ALL
    ),
    -- Weights are parts of all hosts that answered.
    stating AS MATERIALIZED (
        SELECT product_token AS stratum, domain, cluster, hosts, weight, squares, policy_id, denies, permits
        FROM hosts_by('answered', crawl, "by", weights) AS crawled
        JOIN stated USING (url_host_name)
    ),
    said AS MATERIALIZED (
        SELECT policy_id, product_token, restriction FROM agents SEMI JOIN stating USING (policy_id)
    ),
    judged AS MATERIALIZED (
        SELECT
            stating.*,
            coalesce(
                own.restriction,
                other.restriction,
                if(obeys_wildcard, everybody.restriction, NULL),
                'none'
            ) AS answer,
            (denies AND answer = 'none') OR (permits AND answer = 'full') AS in_conflict
        FROM stating
        JOIN asked ON asked.product_token = stratum
        LEFT JOIN said AS own ON own.policy_id = stating.policy_id AND own.product_token = stratum
        LEFT JOIN said AS other ON other.policy_id = stating.policy_id AND other.product_token = asked.fallback_token
        LEFT JOIN said AS everybody ON everybody.policy_id = stating.policy_id AND everybody.product_token = '*'
    ),
    shares AS (
        FROM shares_of(
            'SELECT *, true AS part FROM judged WHERE in_conflict',
            'FROM stating',
            'SELECT true AS part'
        )
    )
    SELECT
        product_token,
        count(*) FILTER (denies AND answer = 'none') AS denied_but_allowed,
        count(*) FILTER (denies AND answer = 'partial') AS denied_but_partly_allowed,
        count(*) FILTER (denies AND answer = 'full') AS denied_and_blocked,
        count(*) FILTER (permits AND answer = 'full') AS allowed_but_blocked,
        count(*) FILTER (denies AND permits) AS stated_both_ways,
        count(*) FILTER (in_conflict) AS hosts_in_conflict,
        count(DISTINCT domain) FILTER (in_conflict) AS domains_in_conflict,
        pct(coalesce(sum(weight) FILTER (in_conflict), 0), sum(weight)) AS pct_in_conflict,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(judged.stratum) AS n,
        count(DISTINCT domain) AS n_domains,
        'stating a preference about training to the crawler' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), any_value(note)) AS note
    FROM chosen
    LEFT JOIN judged ON judged.stratum = product_token
    LEFT JOIN shares ON shares.stratum = product_token
    GROUP BY product_token
    ORDER BY pct_in_conflict DESC NULLS LAST, product_token;
