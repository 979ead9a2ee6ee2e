-- How many hosts block AI crawlers, and how many of them each?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts that disallow at least one AI agent and the mean number of AI agents of
--   Steinacker-Olsztyn (2025), blocking of at least one, all told and explicit, of thunderbit's AI
--   crawler study; hosts without any AI policy of maango.io.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like). A row for each crawl. AI agents are the catalogue's AI crawlers; an agent is
--   blocked if no path is allowed to it, by its own group, or else by its fallback's or that for `*`
--   (blocked_by_any). Means are over hosts that name (or block) at least one. pct_low and pct_high are
--   the ends of the 95% interval of pct_blocking_one, with registrable domains as clusters; key-shares
--   has those of more.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO ai_agents_blocked("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH asked AS MATERIALIZED (
        FROM asked_agents((SELECT list(product_token) FROM agent_catalog WHERE is_ai))
    ),
    -- AI agents that a policy answers by a group of theirs or of their fallback: the others take that for *.
    answered AS (
        SELECT policy_id, bool_or(restriction = 'full') AS is_blocking, count(*) FILTER (obeys_wildcard) AS obeying
        FROM named_agents_of((SELECT list(product_token) FROM asked))
        GROUP BY policy_id
    ),
    wildcard AS (
        SELECT policy_id FROM agents WHERE product_token = '*' AND restriction = 'full'
    ),
    blocking AS (
        SELECT policy_id, true AS by_any FROM answered WHERE is_blocking
        UNION
        SELECT policy_id, true
        FROM wildcard
        LEFT JOIN answered USING (policy_id)
        WHERE coalesce(obeying, 0) < (SELECT count(*) FROM asked WHERE obeys_wildcard)
    ),
    -- What a policy says as one number: hosts are brought together by it in less time than by four columns.
    said AS (
        SELECT
            policy_id,
            (coalesce(agents, 0) << 32) + (coalesce(blocked, 0) << 2)
                + 2 * coalesce(is_restricted, false)::INTEGER + coalesce(by_any, false)::INTEGER AS kind
        FROM ai_agents_named
        FULL JOIN blocking USING (policy_id)
    ),
    of_kinds AS (
        SELECT
            crawl_number(crawl) AS stratum,
            cluster,
            kind,
            count(*) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM query('FROM ' || all_hosts_sql('answered', "by", weights)) AS settled
        LEFT JOIN said ON said.policy_id = if(has_rules, settled.policy_id, NULL)
        GROUP BY ALL
    ),
    of_clusters AS MATERIALIZED (
        SELECT
            of_kinds.* EXCLUDE (kind),
            kind >> 32 AS agents,
            (kind >> 2) & 1073741823 AS blocked,
            (kind & 2) > 0 AS is_restricted,
            (kind & 1) > 0 AS by_any
        FROM of_kinds
    ),
    counted AS (
        SELECT
            stratum,
            pct(coalesce(sum(weight) FILTER (agents > 0), 0), sum(weight)) AS pct_naming_one,
            pct(coalesce(sum(weight) FILTER (is_restricted), 0), sum(weight)) AS pct_restricting_one,
            pct(coalesce(sum(weight) FILTER (blocked > 0), 0), sum(weight)) AS pct_blocking_one,
            pct(coalesce(sum(weight) FILTER (by_any), 0), sum(weight)) AS pct_blocked_by_any,
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
        "by" AS unit,
        joined_notes(order_note(crawl_labels()[stratum]), shares.note) AS note
    FROM counted
    LEFT JOIN shares_of(
        'SELECT *, true AS part FROM of_clusters WHERE blocked > 0',
        'FROM of_clusters',
        'SELECT true AS part'
    ) AS shares USING (stratum)
    ORDER BY stratum;
