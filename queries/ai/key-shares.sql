-- What share of hosts has a robots.txt, blocks an AI crawler, blocks all crawlers?
--
-- Topic: AI crawlers together.
-- Keywords: block everything, blocks everything, block all, overview, headline figures, summary.
-- Reproduces: hosts with a valid robots.txt of Dinzinger's survey; hosts that disallow at least one
--   AI agent of Steinacker-Olsztyn (2025) and of thunderbit's AI crawler study, crawl by crawl.
-- Denominator: hosts, each once per crawl, of the population that the row names (n). A row for each
--   crawl and measure. AI agents are the catalogue's AI crawlers; blocks_*: no path is allowed;
--   blocks_ai: at least one of them, by name; blocks_ai_or_all: that, or everybody (*).
--   training_not_search: by name no path for an agent whose operator names AI training, and no
--   agent for search engines or AI search blocked. mistake: a remark about a line that a parser
--   loses or reads otherwise than it is written.
-- Parameters: by, weights.
CREATE OR REPLACE MACRO key_shares("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH measures AS MATERIALIZED (
        SELECT
            unnest([
                'answered', 'forbidden', 'errors', 'with_file', 'with_rules', 'names_ai', 'blocks_ai',
                'blocks_ai_or_all', 'blocks_all', 'training_not_search', 'template', 'template_of_blocking',
                'signals', 'mistake', 'sitemap'
            ]) AS part,
            unnest([
                'captured', 'captured', 'captured', 'answered', 'answered', 'answered', 'answered',
                'answered', 'answered', 'answered', 'with_rules', 'blocking an AI crawler',
                'with_file', 'with_file', 'with_file'
            ]) AS population,
            unnest(range(15)) AS position
    ),
    hosts_of_populations AS (
        SELECT 'captured' AS population, * FROM all_hosts_by('captured', "by", weights)
        UNION ALL
        SELECT 'answered', * FROM all_hosts_by('answered', "by", weights)
        UNION ALL
        SELECT 'with_file', * FROM all_hosts_by('with_file', "by", weights)
        UNION ALL
        SELECT 'with_rules', * FROM all_hosts_by('with_rules', "by", weights)
        UNION ALL
        SELECT 'blocking an AI crawler', *
        FROM all_hosts_by('answered', "by", weights)
        WHERE policy_id IN (SELECT policy_id FROM ai_agents_named WHERE blocked > 0)
    ),
    population AS MATERIALIZED (
        SELECT
            hosts.* EXCLUDE (population) REPLACE ({'crawl': stratum, 'population': population} AS stratum),
            file_marks.* EXCLUDE (file_id)
        FROM hosts_of_populations AS hosts
        LEFT JOIN file_marks ON file_marks.file_id = hosts.file_id
    ),
    counted AS (
        SELECT stratum, cluster, weight, part
        FROM population
        JOIN measures ON measures.population = stratum.population
        WHERE CASE part
            WHEN 'answered' THEN is_settled
            WHEN 'forbidden' THEN response_class = 'forbidden' AND NOT is_settled
            WHEN 'errors' THEN response_class = 'defer' AND NOT is_settled
            WHEN 'with_file' THEN has_lines
            WHEN 'with_rules' THEN has_rules
            WHEN 'names_ai' THEN names_ai AND has_rules
            WHEN 'blocks_ai' THEN blocks_ai
            WHEN 'blocks_ai_or_all' THEN blocks_ai OR blocks_all
            WHEN 'blocks_all' THEN blocks_all
            WHEN 'training_not_search' THEN blocks_training AND NOT blocks_all AND blocks_search IS NOT TRUE
            WHEN 'signals' THEN signals
            WHEN 'mistake' THEN is_mistaken
            WHEN 'sitemap' THEN has_sitemap
            ELSE is_template
        END
    ),
    domains AS (
        SELECT stratum, count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL) AS n_domains
        FROM population
        GROUP BY stratum
    )
    SELECT
        crawl_labels()[stratum.crawl] AS crawl,
        part AS measure,
        hosts,
        share AS pct,
        low AS pct_low,
        high AS pct_high,
        n,
        n_domains,
        stratum.population AS population,
        "by" AS unit,
        joined_notes([order_note(crawl_labels()[stratum.crawl]), note]) AS note
    FROM shares('counted', 'population', 'measures') AS shares
    JOIN measures USING (part)
    JOIN domains USING (stratum)
    WHERE measures.population = stratum.population
    ORDER BY stratum.crawl, position;
