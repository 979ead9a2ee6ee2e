-- The agents of each file to which some study's published script does not give all rules that RFC 9309 gives them (see
-- the table grouping_errors). All other agents get the same rules from the scripts.
--   n_rules                  rules under RFC 9309
--   n_rules_cc, …_dpi, …_ha  rules that Common Crawl, the Data Provenance Initiative and HTTP Archive give the agent
--   restriction_cc_script    Common Crawl's class of the rules that its script reads; null (not addressed) without rules
--   restriction_dpi_script   the same for the Data Provenance Initiative; none without rules
CREATE OR REPLACE VIEW agent_grouping_errors AS
    WITH kept AS (
        SELECT
            file_id, policy_id, group_index, product_token, n_allow + n_disallow AS n_rules,
            -- Whether the agent is in one of the last user-agent lines of the group, which get its rules.
            coalesce(list_position(product_tokens.list_reverse(), product_token) <= COLUMNS('^n_kept_(.*)$'), true)
                AS 'in_\1'
        FROM (
            SELECT *, unnest(list_distinct(product_tokens)) AS product_token
            FROM (SELECT file_id, policy_id FROM files SEMI JOIN grouping_errors USING (file_id))
            JOIN groups USING (policy_id)
            LEFT JOIN grouping_errors USING (file_id, group_index)
        )
        WHERE product_token <> '' AND n_allow + n_disallow > 0
    ),
    counted AS MATERIALIZED (
        SELECT
            file_id, policy_id, product_token, sum(n_rules)::BIGINT AS n_rules,
            sum(if(COLUMNS('^in_(.*)$'), n_rules, 0))::BIGINT AS 'n_rules_\1'
        FROM kept
        GROUP BY ALL
        HAVING NOT bool_and(in_cc AND in_dpi AND in_ha)
    ),
    -- Only for these agents does a class depend on the rules themselves: agents without rules have a fixed class, and
    -- so have, in Common Crawl, agents with several rules.
    read AS (
        SELECT
            file_id, product_token,
            any_value(rule_type || ' ' || coalesce(path_raw, path)) FILTER (in_cc) AS a_rule_cc,
            coalesce(list(coalesce(path_raw, path) ORDER BY rule_index)
                FILTER (in_dpi AND rule_type = 'disallow' AND NOT has_query), []) AS disallowed_dpi,
            coalesce(list(coalesce(path_raw, path) ORDER BY rule_index)
                FILTER (in_dpi AND rule_type = 'allow' AND NOT has_query), []) AS allowed_dpi
        FROM kept
        SEMI JOIN (FROM counted WHERE n_rules_cc = 1 OR n_rules_dpi > 0) AS unclear USING (file_id, product_token)
        JOIN rules USING (policy_id, group_index)
        GROUP BY ALL
    )
    SELECT
        counted.*,
        CASE
            WHEN n_rules_cc = 0 THEN NULL
            WHEN n_rules_cc > 1 THEN 'allow_part'
            WHEN a_rule_cc = 'disallow /' THEN 'disallow_all'
            WHEN a_rule_cc IN ('allow /', 'allow *', 'allow /*', 'allow ', 'disallow ') THEN 'allow_all'
            ELSE 'allow_part'
        END AS restriction_cc_script,
        CASE
            WHEN n_rules_dpi = 0 OR disallowed_dpi IN ([], [''], allowed_dpi) THEN 'none'
            WHEN list_contains(disallowed_dpi, '/') AND allowed_dpi = [] THEN 'all'
            ELSE 'some'
        END AS restriction_dpi_script
    FROM counted LEFT JOIN read USING (file_id, product_token);
