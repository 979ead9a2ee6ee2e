-- How many hosts block AI crawlers, and how many of them each?
--
-- Topic: AI crawlers together.
-- Keywords: AI bots, at least one, opt-out, share, summary.
-- Reproduces: hosts that disallow at least one AI agent and the mean number of AI agents of
--   Steinacker-Olsztyn (2025), blocking of at least one, all told and explicit, of thunderbit's AI
--   crawler study; hosts without any AI policy of maango.io.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like). A row for each crawl. AI agents are the catalogue's AI crawlers; an agent
--   is blocked if no path is allowed to it, by its own group, or else by its fallback's or that for
--   `*` (blocked_by_any). Means are over hosts that name (or block) at least one. pct_low and
--   pct_high are the ends of the 95% interval of pct_blocking_one, with registrable domains as
--   clusters; key-shares has those of more.
-- Parameters: by, weights.
CREATE OR REPLACE MACRO ai_agents_blocked("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        -- A policy without rules is as none.
        SELECT hosts.* REPLACE (if(has_rules, hosts.policy_id, NULL) AS policy_id), agents, blocked, is_restricted
        FROM all_hosts_by('answered', "by", weights) AS hosts
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id AND has_rules
    ),
    blocking_any AS (
        SELECT DISTINCT policy_id
        FROM blocking_policies((SELECT list(product_token) FROM agent_catalog WHERE is_ai))
    ),
    counted AS (
        SELECT *, 'naming' AS part FROM population WHERE agents > 0
        UNION ALL
        SELECT *, 'restricting' FROM population WHERE is_restricted
        UNION ALL
        SELECT *, 'blocking' FROM population WHERE blocked > 0
        UNION ALL
        SELECT *, 'blocking by any group' FROM population WHERE policy_id IN (FROM blocking_any)
    ),
    parts AS (SELECT unnest(['naming', 'restricting', 'blocking', 'blocking by any group']) AS part),
    means AS (
        SELECT
            stratum,
            round(avg(agents) FILTER (agents > 0), 2) AS mean_agents_named,
            round(avg(blocked) FILTER (blocked > 0), 2) AS mean_agents_blocked
        FROM population
        GROUP BY stratum
    )
    SELECT
        crawl_labels()[stratum] AS crawl,
        any_value(share) FILTER (part = 'naming') AS pct_naming_one,
        any_value(share) FILTER (part = 'restricting') AS pct_restricting_one,
        any_value(share) FILTER (part = 'blocking') AS pct_blocking_one,
        any_value(low) FILTER (part = 'blocking') AS pct_low,
        any_value(high) FILTER (part = 'blocking') AS pct_high,
        any_value(share) FILTER (part = 'blocking by any group') AS pct_blocked_by_any,
        mean_agents_named,
        mean_agents_blocked,
        n,
        'answered' AS population,
        "by" AS unit,
        joined_notes([order_note(crawl_labels()[stratum]), any_value(note) FILTER (part = 'blocking')]) AS note
    FROM shares('counted', 'population', 'parts') AS shares
    JOIN means USING (stratum)
    GROUP BY stratum, n, mean_agents_named, mean_agents_blocked
    ORDER BY stratum;
