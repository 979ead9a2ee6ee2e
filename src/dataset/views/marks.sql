-- Properties of a file, true or false. ai: an AI crawler of the catalogue; blocks_ai_by_any: by whichever group applies
-- (the other columns: by name); is_template: a platform wrote a part; is_mistaken: a parser loses or misreads a line.
CREATE OR REPLACE VIEW file_marks AS
    WITH of_policies AS (
        SELECT
            policy_id,
            bool_or(is_ai) AS names_ai, bool_or(is_ai AND restriction <> 'none') AS restricts_ai,
            bool_or(is_ai AND restriction = 'full') AS blocks_ai,
            bool_or(product_token = '*' AND restriction = 'full') AS blocks_all,
            bool_or(category = 'ai training' AND is_ai_basis IS DISTINCT FROM 'lists' AND restriction = 'full')
                AS blocks_training,
            bool_or(category IN ('search engine', 'ai search') AND restriction = 'full') AS blocks_search
        FROM agents LEFT JOIN agent_catalog USING (product_token)
        GROUP BY policy_id
    )
    SELECT
        file_id, of_policies.* EXCLUDE (policy_id),
        policy_id IN (
            SELECT policy_id FROM blocking_policies((SELECT list(product_token) FROM agent_catalog WHERE is_ai))
        ) AS blocks_ai_by_any,
        platform IS NOT NULL AS is_template, n_sitemaps > 0 AS has_sitemap,
        policy_id IN (SELECT policy_id FROM preferences) AS signals,
        file_id IN (
            SELECT file_id FROM remarks
            WHERE kind IN (
                'directive_splits_group', 'rule_without_slash', 'rule_is_url', 'rule_outside_group', 'misspelling',
                'missing_colon', 'tolerated_spelling', 'no_product_token'
            )
        ) AS is_mistaken
    FROM files LEFT JOIN of_policies USING (policy_id);

-- The hosts of a view in each of five populations, with the marks of their files, and the answers that a host gives.
CREATE OR REPLACE MACRO hosts_of_populations(rows, unit_asked, weights) AS TABLE
    WITH marked AS MATERIALIZED (
        SELECT
            crawl, input_id, url_host_name, domain, domain_number, hosts.file_id, hosts.policy_id,
            response_class, final_status, is_settled, has_lines, has_rules,
            file_marks.* EXCLUDE (file_id), agents_named, agents_blocked
        FROM query_table(rows) AS hosts
        LEFT JOIN file_marks ON file_marks.file_id = hosts.file_id
        LEFT JOIN ai_agents_named AS named ON named.policy_id = if(has_rules, hosts.policy_id, NULL)
    ),
    hosts_of_all AS NOT MATERIALIZED (
        FROM weighed_population('marked', 'captured', unit_asked, weights)
        UNION ALL
        FROM weighed_population('marked', 'answered', unit_asked, weights)
        UNION ALL
        FROM weighed_population('marked', 'with_file', unit_asked, weights)
        UNION ALL
        FROM weighed_population('marked', 'with_rules', unit_asked, weights)
        UNION ALL
        SELECT * REPLACE ('blocking an AI crawler' AS population)
        FROM weighed_population('marked', 'answered', unit_asked, weights)
        WHERE agents_blocked > 0
    )
    -- Leaves out columns that only weights need, because callers keep the rows in memory.
    SELECT * EXCLUDE (input_id, url_host_name, domain) FROM hosts_of_all;
CREATE OR REPLACE MACRO answers_of_host(host) AS [
    if(host.is_settled, 'answered', NULL),
    if(host.response_class = 'forbidden' AND NOT host.is_settled, 'forbidden', NULL),
    if(host.response_class = 'defer' AND NOT host.is_settled, 'errors', NULL),
    if(host.has_lines, 'with_file', NULL),
    if(host.has_rules, 'with_rules', NULL),
    if(host.names_ai AND host.has_rules, 'names_ai', NULL),
    if(host.restricts_ai, 'restricts_ai', NULL),
    if(host.blocks_ai, 'blocks_ai', NULL),
    if(host.blocks_ai_by_any, 'blocks_ai_by_any', NULL),
    if(host.blocks_ai OR host.blocks_all, 'blocks_ai_or_all', NULL),
    if(host.blocks_all, 'blocks_all', NULL),
    if(host.blocks_training AND NOT host.blocks_all AND host.blocks_search IS NOT TRUE, 'training_not_search', NULL),
    if(host.is_template, 'template', NULL),
    if(host.signals, 'signals', NULL),
    if(host.is_mistaken, 'mistake', NULL),
    if(host.has_sitemap, 'sitemap', NULL)
];
