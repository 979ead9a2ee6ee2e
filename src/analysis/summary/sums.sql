-- The sums from which a crawl's shares and their intervals are computed (share_sums), without names of hosts and
-- domains: FROM crawl_sums('2026-08', 'host', NULL). `robostat export --summary` writes them; docs/publish.md describes
-- the columns. series.sql computes the shares.
CREATE OR REPLACE MACRO crawl_sums(label, unit_asked, weights) AS TABLE
    WITH crawled AS NOT MATERIALIZED (FROM of_crawl('hosts', label)),
    population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (population AS stratum, if(has_rules, hosts.policy_id, NULL) AS policy_id),
            content_served(response_class, content_class, final_status, hosts.file_id) AS content
        FROM hosts_of_populations('crawled', unit_asked, weights) AS hosts
        LEFT JOIN files ON files.file_id = hosts.file_id
    ),
    -- Hosts whose rules for every crawler close something.
    everybody AS (
        SELECT population.*, restriction
        FROM population JOIN agents USING (policy_id)
        WHERE product_token = '*' AND restriction <> 'none'
    ),
    counted AS (
        SELECT stratum, {'series': 'measure', 'answer': answer} AS part, cluster, weight
        FROM (SELECT *, unnest(answers_of_host(host)) AS answer FROM population AS host)
        WHERE answer IS NOT NULL
        UNION ALL
        SELECT stratum, {'series': 'status', 'answer': response_class || coalesce(': ' || content, '')}, cluster, weight
        FROM population
        UNION ALL
        SELECT stratum, {'series': 'everybody', 'answer': restriction}, cluster, weight FROM everybody
    ),
    parts AS (SELECT DISTINCT {'series': 'measure', 'answer': answer} AS part FROM key_measures),
    sums AS MATERIALIZED (FROM share_sums('counted', 'population', 'parts')),
    -- Hosts treat a crawler like everybody unless they name it. So only hosts that name a crawler are counted for it,
    -- each by its difference (1, 0 or -1) from its count with everybody.
    answers(answer, of_everybody) AS (
        VALUES
            ('named', NULL), ('named with rules', NULL), ('full', 'full'), ('full by name', NULL),
            ('full by wildcard', 'full'), ('partial', 'partial'), ('partial by name', NULL)
    ),
    every_token AS (SELECT product_token FROM agents UNION SELECT product_token FROM agent_catalog),
    asked AS MATERIALIZED (FROM asked_agents((SELECT list(product_token) FROM every_token))),
    -- alike (see weight_sums) is this difference.
    changes AS (
        SELECT stratum, cluster, product_token, weight, unnest([
            {'answer': 'named', 'alike': (source = 'own')::INTEGER},
            {'answer': 'named with rules', 'alike': (source = 'own' AND n_rules > 0)::INTEGER},
            {'answer': 'full', 'alike': (restriction = 'full')::INTEGER - (otherwise = 'full')::INTEGER},
            {'answer': 'full by name', 'alike': (source = 'own' AND restriction = 'full')::INTEGER},
            {'answer': 'full by wildcard', 'alike': -(otherwise = 'full')::INTEGER},
            {'answer': 'partial', 'alike': (restriction = 'partial')::INTEGER - (otherwise = 'partial')::INTEGER},
            {'answer': 'partial by name', 'alike': (source = 'own' AND restriction = 'partial')::INTEGER}
        ], recursive := true)
        FROM population
        JOIN groups_for('asked') USING (policy_id)
        CROSS JOIN LATERAL (SELECT coalesce(if(obeys_wildcard, wildcard_restriction, NULL), 'none') AS otherwise)
    ),
    changes_that_count AS (FROM changes WHERE alike <> 0),
    changes_of_sums AS (
        SELECT
            changed.stratum, product_token, answer, sum(changed.hosts) AS hosts,
            sum(if(
                changed.cluster IS NULL,
                changed.hosts,
                (coalesce(before.hosts, 0) + changed.hosts > 0)::INTEGER - (coalesce(before.hosts, 0) > 0)::INTEGER
            )) AS clusters,
            sum(changed.weight) AS y,
            sum(if(
                changed.cluster IS NULL,
                changed.squares,
                changed.weight * (changed.weight + 2 * coalesce(before.weight, 0))
            )) AS yy,
            sum(if(changed.cluster IS NULL, changed.squares, changed.weight * whole.weight)) AS yw
        FROM weight_sums('changes_that_count', ['stratum', 'cluster', 'product_token', 'answer']) AS changed
        JOIN answers USING (answer)
        LEFT JOIN weight_sums('population', ['stratum', 'cluster']) AS whole USING (stratum, cluster)
        LEFT JOIN weight_sums('everybody', ['stratum', 'cluster', 'restriction']) AS before
            ON (before.stratum, before.cluster, before.restriction) = (changed.stratum, changed.cluster, of_everybody)
        GROUP BY ALL
    ),
    -- Names that few domains use, and names with a dot, may identify a site.
    crawlers AS (
        SELECT product_token, coalesce(obeys_wildcard, true) AS obeys_wildcard
        FROM agent_catalog
        FULL JOIN (
            FROM changes_of_sums
            WHERE answer = 'named' AND stratum = 'with_rules' AND clusters >= least_clusters()
                AND NOT contains(product_token, '.')
        ) USING (product_token)
    ),
    sums_of_crawlers AS (
        SELECT
            strata.*, crawlers.product_token, answers.answer,
            (coalesce(everybody.hosts, 0) + coalesce(changed.hosts, 0))::BIGINT AS hosts,
            (coalesce(everybody.clusters, 0) + coalesce(changed.clusters, 0))::BIGINT AS clusters,
            coalesce(everybody.y, 0) + coalesce(changed.y, 0) AS y,
            coalesce(everybody.yy, 0) + coalesce(changed.yy, 0) AS yy,
            coalesce(everybody.yw, 0) + coalesce(changed.yw, 0) AS yw
        FROM (SELECT DISTINCT ON (stratum) sums.* EXCLUDE (part, hosts, clusters, y, yy, yw) FROM sums) AS strata
        CROSS JOIN crawlers
        CROSS JOIN answers
        LEFT JOIN sums AS everybody
            ON everybody.stratum = strata.stratum AND everybody.part = {'series': 'everybody', 'answer': of_everybody}
            AND obeys_wildcard
        LEFT JOIN changes_of_sums AS changed
            ON changed.stratum = strata.stratum AND changed.product_token = crawlers.product_token
            AND changed.answer = answers.answer
    )
    SELECT
        crawl, population, unit, part.series AS series, NULL AS product_token, part.answer AS answer,
        sums.* EXCLUDE (crawl, population, unit, stratum, part)
    FROM sums
    WHERE part.series <> 'everybody'
    UNION ALL BY NAME
    -- A difference of equal weights may not be exactly 0.
    SELECT
        'crawler' AS series,
        * EXCLUDE (stratum) REPLACE (if(hosts = 0, 0, y) AS y, if(hosts = 0, 0, yy) AS yy, if(hosts = 0, 0, yw) AS yw)
    FROM sums_of_crawlers;
