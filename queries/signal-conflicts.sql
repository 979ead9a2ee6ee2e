-- Where do the rules for AI crawlers and the signals about AI contradict each other?
--
-- Topic: Preferences.
-- Reproduces: contradictions between robots.txt rules and signals of maango.io's survey (6,317 of the
--   Tranco top 1M).
-- Denominator: hosts, each once per crawl, that answered conclusively and state a preference about AI
--   training (ai-train of Content-Signal, train-ai of Content-Usage) in file or headers (n), and their
--   registrable domains (n_domains). Rules are those that hold for the
--   crawler, by its own group, its fallback's or that for `*`. denied_but_allowed: training is denied
--   for the whole site, and every path allowed to the crawler; denied_but_partly_allowed: some are;
--   allowed_but_blocked: training is allowed, and no path allowed. In conflict are
--   the first and the last; hosts_in_conflict and domains_in_conflict (with such a host) count them.
--   Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: crawl (the last one, by label), agents (the 12 agents for AI training that most policies
--   name), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet
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
                FROM agent_catalog
                LEFT JOIN (SELECT product_token, count(*) AS policies FROM agents GROUP BY product_token) AS named
                    USING (product_token)
                WHERE category = 'ai training'
                ORDER BY coalesce(policies, 0) DESC, product_token
                LIMIT 12
            )
        ))) AS product_token
    ),
    stated AS MATERIALIZED (
        SELECT
            url_host_name,
            bool_or(NOT allows AND path IS NULL) AS denies,
            bool_or(allows) AS allows
        FROM of_crawl('stated_signals', crawl)
        WHERE preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL
        GROUP BY url_host_name
        -- True of all: DuckDB takes it that it is of few, and keeps these in memory, not every host.
        HAVING count(*) > 0
    ),
    -- Weights are parts of all hosts that answered.
    stating AS MATERIALIZED (
        SELECT domain, cluster, hosts, weight, squares, policy_id, denies, coalesce(stated.allows, false) AS permits
        FROM hosts_by('answered', crawl, "by", weights) AS crawled
        JOIN stated USING (url_host_name)
    ),
    said AS MATERIALIZED (
        SELECT policy_id, product_token, restriction FROM agents SEMI JOIN stating USING (policy_id)
    ),
    answering AS (
        SELECT
            stating.*,
            asked.product_token,
            coalesce(
                own.restriction,
                other.restriction,
                if(obeys_wildcard, everybody.restriction, NULL),
                'none'
            ) AS restriction
        FROM stating
        CROSS JOIN asked_agents((SELECT list(product_token) FROM chosen)) AS asked
        LEFT JOIN said AS own ON own.policy_id = stating.policy_id AND own.product_token = asked.product_token
        LEFT JOIN said AS other ON other.policy_id = stating.policy_id AND other.product_token = asked.fallback_token
        LEFT JOIN said AS everybody ON everybody.policy_id = stating.policy_id AND everybody.product_token = '*'
    ),
    judged AS MATERIALIZED (
        SELECT
            product_token AS part,
            domain,
            cluster,
            hosts,
            weight,
            squares,
            coalesce(denies, false) AS denies,
            permits,
            restriction,
            (denies AND restriction = 'none') OR (permits AND restriction = 'full') AS in_conflict
        FROM answering
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, hosts, weight, squares FROM judged WHERE in_conflict',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM stating'
        )
    )
    SELECT
        product_token,
        count(*) FILTER (denies AND restriction = 'none') AS denied_but_allowed,
        count(*) FILTER (denies AND restriction = 'partial') AS denied_but_partly_allowed,
        count(*) FILTER (denies AND restriction = 'full') AS denied_and_blocked,
        count(*) FILTER (permits AND restriction = 'full') AS allowed_but_blocked,
        count(*) FILTER (denies AND permits) AS stated_both_ways,
        count(*) FILTER (in_conflict) AS hosts_in_conflict,
        count(DISTINCT domain) FILTER (in_conflict) AS domains_in_conflict,
        pct(coalesce(sum(weight) FILTER (in_conflict), 0), sum(weight)) AS pct_in_conflict,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        count(judged.part) AS n,
        count(DISTINCT domain) AS n_domains,
        'stating a preference about training' AS population,
        "by" AS unit
    FROM chosen
    LEFT JOIN judged ON judged.part = product_token
    LEFT JOIN shares ON shares.part = product_token
    GROUP BY product_token
    ORDER BY pct_in_conflict DESC NULLS LAST, product_token;
