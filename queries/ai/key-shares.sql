-- What share of hosts has a robots.txt, blocks an AI crawler, blocks all crawlers?
-- Keywords: block everything, blocks everything, block all, overview, headlines, AI bots, at least one, opt-out.
-- Reproduces: hosts with a valid robots.txt (Dinzinger's survey); hosts that disallow at least one AI agent, overall
--   and explicitly (Steinacker-Olsztyn 2025; thunderbit); hosts without any AI policy (maango.io).
-- Denominator: hosts of the row's population (n), in each crawl. blocks_ai: a group for an AI crawler of the catalogue
--   allows no path; blocks_ai_by_any: whichever group applies to such a crawler allows no path; blocks_all: the group
--   for everybody (`*`) allows no path; blocks_ai_or_all: blocks_ai or blocks_all. restricts_ai: a group for an AI
--   crawler disallows some path. training_not_search: blocks an agent whose operator names AI training, but neither `*`
--   nor any agent for search or AI search, all by name. mistake: the file has a line that a parser loses or misreads.
--   mean_agents: the number of AI crawlers that hosts of the row name, or block, on average.
CREATE OR REPLACE MACRO key_shares("by" := 'host', weights := NULL) AS TABLE
    -- Hosts with the same answers are counted before their answers are unnested.
    WITH population AS MATERIALIZED (
        SELECT
            {'crawl': stratum, 'population': population} AS stratum,
            * EXCLUDE (stratum, crawl, unit, file_id, policy_id, final_status, agents_named, agents_blocked),
            count(*) AS alike, sum(agents_named) AS agents_named, sum(agents_blocked) AS agents_blocked
        FROM hosts_of_populations('hosts', "by", weights)
        GROUP BY ALL
    ),
    counted AS (
        SELECT stratum, cluster, weight, part, alike
        FROM (SELECT *, unnest(answers_of_host(host)) AS answer FROM population AS host)
        JOIN key_measures USING (population, answer)
    ),
    totals AS (
        SELECT
            stratum,
            count(DISTINCT domain_number) + coalesce(sum(alike) FILTER (domain_number IS NULL), 0)::BIGINT AS n_domains,
            MAP {'names_ai': sum(agents_named), 'blocks_ai': sum(agents_blocked)} AS agents
        FROM population
        GROUP BY stratum
    )
    SELECT
        crawl_labels()[stratum.crawl] AS crawl, part AS measure,
        hosts, share AS pct, pct_low, pct_high,
        round(agents[part] / nullif(hosts, 0), 2) AS mean_agents,
        n, n_domains, shares.population, "by" AS unit,
        joined_notes([order_note(crawl_labels()[stratum.crawl]), note]) AS note
    FROM shares('counted', 'population', 'key_measures') AS shares
    JOIN key_measures USING (part, population)
    JOIN totals USING (stratum)
    ORDER BY stratum.crawl, position;
