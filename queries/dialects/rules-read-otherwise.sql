-- Which rules would a crawler of 1996 (draft-koster-robots-00) read differently from RFC 9309?
-- Keywords: misread, 1996, first match, order, interpretation, ambiguous.
-- Denominator: rules of distinct policies, over all crawls (n); for pct_of_hosts, hosts with a
--   policy. wildcard: `*` or a final `$`, which the 1996 draft takes literally. order: a rule that
--   a crawler of 1996 never reaches, because an earlier and shorter rule of the other type matches
--   the same paths. Misspelt rules and rules without a colon are left out: neither the draft nor
--   RFC 9309 reads them.
-- Unit: rules, however many hosts have them. Intervals: none; the rules are not a sample.
CREATE OR REPLACE MACRO rules_read_otherwise() AS TABLE
    WITH rules_read AS NOT MATERIALIZED (
        FROM rules SEMI JOIN files USING (policy_id) WHERE NOT (is_typo OR is_missing_colon)
    ),
    differing AS MATERIALIZED (
        SELECT if(is_shadowed, 'order', 'wildcard') AS difference, rule_type, policy_id, count(*) AS rules
        FROM rules_read
        WHERE is_shadowed OR has_wildcard OR has_end_anchor
        GROUP BY ALL
    ),
    hosts_of_policies AS MATERIALIZED (
        SELECT DISTINCT url_host_name, policy_id
        FROM captures
        WHERE policy_id IS NOT NULL AND url_host_name IS NOT NULL
    ),
    by_hosts AS (
        SELECT difference, rule_type, count(DISTINCT url_host_name) AS hosts
        FROM differing JOIN hosts_of_policies USING (policy_id)
        GROUP BY ALL
    )
    SELECT
        difference, rule_type, sum(rules)::BIGINT AS rules, round(100.0 * sum(rules) / nullif(n, 0), 2) AS pct_of_rules,
        count(*) AS policies, hosts, round(100.0 * hosts / nullif(n_hosts, 0), 2) AS pct_of_hosts,
        n, 'rules' AS population, 'rule' AS unit, all_crawls() AS all_crawls
    FROM differing
    LEFT JOIN by_hosts USING (difference, rule_type)
    CROSS JOIN (SELECT count(*) AS n FROM rules_read)
    CROSS JOIN (SELECT count(DISTINCT url_host_name) AS n_hosts FROM hosts_of_policies)
    GROUP BY difference, rule_type, hosts, n, n_hosts
    ORDER BY rules DESC, difference, rule_type;
