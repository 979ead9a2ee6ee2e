-- Which rules would a crawler of 1996 (draft-koster-robots-00) read otherwise than RFC 9309 does?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the two changes of the protocol that files cannot tell.
-- Denominator: rules in groups of distinct policies; hosts are those of the captures with such
--   policies, of all crawls. A rule may count in several rows.
--   wildcard: `*` or a final `$`, which 1996 takes literally.
--   order: a rule that 1996 never reaches, because an earlier and shorter rule of the other type in
--   its group matches whatever it matches; the longest match gives it its say.
--   Misspelt rules and such without a colon are left out: neither reader takes them.
-- Unit: rules (n) of distinct policies: it compares interpretations of a text, however many hosts have it;
--   pct_of_hosts is of the hosts of all captures with a policy.
-- Intervals: none; the rules are no sample of rules.
-- Parameters: none.
CREATE OR REPLACE MACRO rules_read_otherwise() AS TABLE
    WITH mixed AS (
        -- Elsewhere no rule can stand before one of the other type.
        SELECT policy_id, group_index FROM groups WHERE n_allow > 0 AND n_disallow > 0
    ),
    plain AS MATERIALIZED (
        SELECT policy_id, group_index, rule_index, rule_type, path, path_length
        FROM rules SEMI JOIN mixed USING (policy_id, group_index)
        WHERE NOT (has_wildcard OR has_end_anchor OR is_typo OR is_missing_colon OR is_empty)
    ),
    -- Where the rules of each type begin and end in their group: only what is after the first of the other
    -- type can be shadowed, and only what is before the last of it can shadow.
    borders AS MATERIALIZED (
        SELECT
            policy_id,
            group_index,
            min(rule_index) FILTER (rule_type = 'allow') AS first_allow,
            max(rule_index) FILTER (rule_type = 'allow') AS last_allow,
            min(rule_index) FILTER (rule_type = 'disallow') AS first_disallow,
            max(rule_index) FILTER (rule_type = 'disallow') AS last_disallow
        FROM plain
        GROUP BY ALL
    ),
    later AS (
        SELECT policy_id, group_index, rule_index, rule_type, path, path_length, left(path, key_length) AS key
        FROM plain
        JOIN borders USING (policy_id, group_index)
        CROSS JOIN (VALUES (1), (4), (9)) AS of_keys(key_length)
        WHERE rule_index > if(rule_type = 'allow', first_disallow, first_allow) AND path_length > key_length
    ),
    earlier AS (
        SELECT policy_id, group_index, rule_index, path, path_length, path_key(path) AS key,
            if(rule_type = 'allow', 'disallow', 'allow') AS other_type
        FROM plain
        JOIN borders USING (policy_id, group_index)
        WHERE rule_index < if(rule_type = 'allow', last_disallow, last_allow)
    ),
    shadowed AS (
        SELECT DISTINCT later.policy_id, later.rule_index, later.rule_type
        FROM later
        JOIN earlier
            ON later.policy_id = earlier.policy_id AND later.group_index = earlier.group_index
            AND later.key = earlier.key
            AND later.rule_type = earlier.other_type AND earlier.rule_index < later.rule_index
        WHERE earlier.path_length < later.path_length AND starts_with(later.path, earlier.path)
    ),
    differing AS MATERIALIZED (
        SELECT policy_id, rule_index, rule_type, 'wildcard' AS difference FROM rules
        WHERE (has_wildcard OR has_end_anchor) AND NOT (is_typo OR is_missing_colon)
        UNION ALL
        SELECT policy_id, rule_index, rule_type, 'order' FROM shadowed
    ),
    policy_hosts AS MATERIALIZED (
        SELECT policy_id, url_host_name FROM captures WHERE policy_id IS NOT NULL GROUP BY ALL
    ),
    total AS (
        SELECT (SELECT count(*) FROM rules) AS rules, (SELECT count(DISTINCT url_host_name) FROM policy_hosts) AS hosts
    ),
    by_hosts AS (
        SELECT difference, rule_type, count(DISTINCT url_host_name) AS hosts
        FROM (SELECT DISTINCT difference, rule_type, policy_id FROM differing) JOIN policy_hosts USING (policy_id)
        GROUP BY ALL
    )
    SELECT difference, rule_type, count(*) AS rules,
        round(100.0 * count(*) / nullif(any_value(total.rules), 0), 2) AS pct_of_rules,
        count(DISTINCT policy_id) AS policies,
        any_value(by_hosts.hosts) AS hosts,
        round(100.0 * any_value(by_hosts.hosts) / nullif(any_value(total.hosts), 0), 2) AS pct_of_hosts,
        any_value(total.rules) AS n,
        'rules' AS population,
        'rule' AS unit
    FROM differing LEFT JOIN by_hosts USING (difference, rule_type), total
    GROUP BY difference, rule_type
    ORDER BY rules DESC, difference, rule_type;
