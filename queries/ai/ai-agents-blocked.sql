-- How many hosts block AI crawlers, and how many of them each?
--
-- Keywords: AI bots, at least one, opt-out, share, summary.
-- Reproduces: hosts that disallow at least one AI agent and the mean number of AI agents of
--   Steinacker-Olsztyn (2025), blocking of at least one, overall and explicit, of thunderbit's AI
--   crawler study; hosts without any AI policy of maango.io.
-- Denominator: hosts that answered conclusively (n), in each crawl. An AI crawler of the catalogue
--   is blocked if no path is allowed to it, by its own group (blocking_one) or by any
--   (blocked_by_any). Means are over hosts that name, or block, at least one. key-shares has the
--   intervals of more shares.
CREATE OR REPLACE MACRO ai_agents_blocked("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            stratum, cluster, weight, crawl, population, unit, has_rules, hosts.policy_id,
            agents_named, agents_blocked, is_restricted
        FROM all_hosts_by('answered', "by", weights) AS hosts
        LEFT JOIN ai_agents_named AS named ON named.policy_id = if(has_rules, hosts.policy_id, NULL)
    ),
    blocking_any AS (
        FROM policies_blocking_one((SELECT list(product_token) FROM agent_catalog WHERE is_ai))
    ),
    naming AS (SELECT *, true AS part FROM population WHERE agents_named > 0),
    restricting AS (SELECT *, true AS part FROM population WHERE is_restricted),
    blocking AS (SELECT *, true AS part FROM population WHERE agents_blocked > 0),
    blocking_by_any_group AS (
        SELECT *, true AS part FROM population WHERE has_rules AND policy_id IN (FROM blocking_any)
    ),
    means AS (
        SELECT
            stratum,
            round(avg(agents_named) FILTER (agents_named > 0), 2) AS mean_agents_named,
            round(avg(agents_blocked) FILTER (agents_blocked > 0), 2) AS mean_agents_blocked
        FROM population
        GROUP BY stratum
    )
    SELECT
        blocked.crawl,
        named.share AS pct_naming_one,
        restricted.share AS pct_restricting_one,
        blocked.share AS pct_blocking_one, blocked.low AS pct_low, blocked.high AS pct_high,
        blocked_by_any.share AS pct_blocked_by_any,
        mean_agents_named, mean_agents_blocked, blocked.n, blocked.population, blocked.unit,
        joined_notes([order_note(blocked.crawl), blocked.note]) AS note
    FROM means
    JOIN shares('naming', 'population', 'one_part') AS named USING (stratum)
    JOIN shares('restricting', 'population', 'one_part') AS restricted USING (stratum)
    JOIN shares('blocking', 'population', 'one_part') AS blocked USING (stratum)
    JOIN shares('blocking_by_any_group', 'population', 'one_part') AS blocked_by_any USING (stratum)
    ORDER BY stratum;
