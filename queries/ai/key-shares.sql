-- What share of hosts has a robots.txt, blocks an AI crawler, blocks all crawlers?
--
-- Keywords: block everything, blocks everything, block all, overview, headline figures, summary.
-- Reproduces: hosts with a valid robots.txt of Dinzinger's survey; hosts that disallow at least one
--   AI agent of Steinacker-Olsztyn (2025) and of thunderbit's AI crawler study, crawl by crawl.
-- Denominator: hosts of the population that the row names (n), in each crawl. blocks_: no path is
--   allowed; blocks_ai: to an AI crawler of the catalogue, by name; blocks_ai_or_all: or to
--   everybody (*). training_not_search: no path for an agent whose operator names AI training, by
--   name, and no agent for search engines or AI search blocked. mistake: a line that a parser loses
--   or misreads.
CREATE OR REPLACE MACRO key_shares("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH measures(position, population, part) AS (
        VALUES
            (1, 'captured', 'answered'), (2, 'captured', 'forbidden'), (3, 'captured', 'errors'),
            (4, 'answered', 'with_file'), (5, 'answered', 'with_rules'), (6, 'answered', 'names_ai'),
            (7, 'answered', 'blocks_ai'), (8, 'answered', 'blocks_ai_or_all'), (9, 'answered', 'blocks_all'),
            (10, 'answered', 'training_not_search'), (11, 'with_rules', 'template'),
            (12, 'blocking an AI crawler', 'template_of_blocking'), (13, 'with_file', 'signals'),
            (14, 'with_file', 'mistake'), (15, 'with_file', 'sitemap')
    ),
    hosts_counted AS (
        FROM all_hosts_by('captured', "by", weights)
        UNION ALL
        FROM all_hosts_by('answered', "by", weights)
        UNION ALL
        FROM all_hosts_by('with_file', "by", weights)
        UNION ALL
        FROM all_hosts_by('with_rules', "by", weights)
        UNION ALL
        SELECT * REPLACE ('blocking an AI crawler' AS population)
        FROM all_hosts_by('answered', "by", weights)
        WHERE policy_id IN (SELECT policy_id FROM ai_agents_named WHERE agents_blocked > 0)
    ),
    population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE ({'crawl': stratum, 'population': population} AS stratum),
            file_marks.* EXCLUDE (file_id)
        FROM hosts_counted AS hosts
        LEFT JOIN file_marks ON file_marks.file_id = hosts.file_id
    ),
    counted AS (
        SELECT stratum, cluster, weight, part
        FROM population
        JOIN measures USING (population)
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
    domains AS (SELECT stratum, domains_of(domain_number) AS n_domains FROM population GROUP BY stratum)
    SELECT
        crawl,
        part AS measure,
        hosts,
        share AS pct, low AS pct_low, high AS pct_high,
        n, n_domains, population, unit,
        joined_notes([order_note(crawl), note]) AS note
    FROM shares('counted', 'population', 'measures') AS shares
    JOIN measures USING (part, population)
    JOIN domains USING (stratum)
    ORDER BY stratum.crawl, position;
