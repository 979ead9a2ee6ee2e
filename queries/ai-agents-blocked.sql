-- How many hosts block AI crawlers, and how many of them each?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts that disallow at least one AI agent and the mean number of AI agents of
--   Steinacker-Olsztyn (2025), blocking of at least one, all told and explicit, of thunderbit's AI
--   crawler study; hosts without any AI policy of maango.io.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like). A row for each crawl. AI agents are those of the catalogue; an agent is
--   blocked if no path is allowed to it, by its own group, or else by its fallback's or that for `*`
--   (blocked_by_any). Means are over hosts that name (or block) at least one. pct_low and pct_high are
--   the ends of the 95% interval of pct_blocking_one, with registrable domains as clusters; key-shares
--   has those of more.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO ai_agents_blocked("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH named AS (
        SELECT
            policy_id,
            count(*) AS agents,
            sum((restriction = 'full')::INTEGER)::INTEGER AS blocked,
            bool_or(restriction <> 'none') AS is_restricted
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        GROUP BY policy_id
    ),
    wildcard AS (
        SELECT policy_id, true AS by_wildcard FROM agents WHERE product_token = '*' AND restriction = 'full'
    ),
    of_clusters AS MATERIALIZED (
        SELECT
            crawl_number(crawl) AS stratum,
            cluster,
            coalesce(agents, 0) AS agents,
            coalesce(blocked, 0) AS blocked,
            coalesce(is_restricted, false) AS is_restricted,
            coalesce(by_wildcard, false) AS by_wildcard,
            count(*) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM query('FROM ' || all_hosts_sql('answered', "by", weights)) AS settled
        LEFT JOIN (FROM named FULL JOIN wildcard USING (policy_id)) AS named ON named.policy_id = settled.policy_id
        GROUP BY ALL
    ),
    counted AS (
        SELECT
            stratum,
            pct(coalesce(sum(weight) FILTER (agents > 0), 0), sum(weight)) AS pct_naming_one,
            pct(coalesce(sum(weight) FILTER (is_restricted), 0), sum(weight)) AS pct_restricting_one,
            pct(coalesce(sum(weight) FILTER (blocked > 0), 0), sum(weight)) AS pct_blocking_one,
            -- Whoever blocks everybody blocks every AI agent that is not named.
            pct(coalesce(sum(weight) FILTER (blocked > 0 OR by_wildcard), 0), sum(weight)) AS pct_blocked_by_any,
            round(sum(hosts * agents) / sum(hosts) FILTER (agents > 0), 2) AS mean_agents_named,
            round(sum(hosts * blocked) / sum(hosts) FILTER (blocked > 0), 2) AS mean_agents_blocked,
            sum(hosts)::BIGINT AS n
        FROM of_clusters
        GROUP BY stratum
    )
    SELECT
        crawl_labels()[stratum] AS crawl,
        pct_naming_one,
        pct_restricting_one,
        pct_blocking_one,
        low AS pct_low,
        high AS pct_high,
        pct_blocked_by_any,
        mean_agents_named,
        mean_agents_blocked,
        n,
        'answered' AS population,
        "by" AS unit
    FROM counted
    LEFT JOIN shares_of('SELECT *, true AS part FROM of_clusters WHERE blocked > 0', 'FROM of_clusters') USING (stratum)
    ORDER BY crawl;
