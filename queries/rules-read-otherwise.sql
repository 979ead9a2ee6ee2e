-- Which rules would a crawler of 1996 (draft-koster-robots-00) read otherwise than RFC 9309 does?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the two changes of the protocol that files cannot tell.
-- Denominator: rules in groups of distinct policies; hosts have captures with such
--   policies, of all crawls.
--   wildcard: `*` or a final `$`, which 1996 takes literally.
--   order: a rule that 1996 never reaches, because an earlier and shorter rule of the other type in
--   its group matches whatever it matches; the longest match gives it its say.
--   Misspelt rules and such without a colon are left out: neither reader takes them.
-- Unit: rules (n) of distinct policies: it compares interpretations of a text, however many hosts have it;
--   pct_of_hosts is of the hosts of all captures with a policy.
-- Intervals: none; the rules are not a sample.
-- Parameters: none.
CREATE OR REPLACE MACRO rules_read_otherwise() AS TABLE
    WITH differing AS MATERIALIZED (
        SELECT
            policy_id,
            -- A bit for each row of the answer.
            1 << (2 * is_shadowed::INTEGER + (rule_type = 'allow')::INTEGER) AS bit,
            count(*) AS rules
        FROM rules
        WHERE is_shadowed OR ((has_wildcard OR has_end_anchor) AND NOT (is_typo OR is_missing_colon))
        GROUP BY ALL
    ),
    hosts_with_bits AS MATERIALIZED (
        SELECT bit_or(coalesce(bits, 0)) AS bits
        FROM captures
        LEFT JOIN (SELECT policy_id, bit_or(bit) AS bits FROM differing GROUP BY policy_id) USING (policy_id)
        WHERE policy_id IS NOT NULL AND url_host_name IS NOT NULL
        GROUP BY url_host_name
    ),
    by_hosts AS (
        SELECT bit, count(*) AS hosts
        FROM (SELECT DISTINCT bit FROM differing) JOIN hosts_with_bits ON bits & bit <> 0
        GROUP BY bit
    ),
    total AS (
        SELECT (SELECT count(*) FROM rules) AS rules, (SELECT count(*) FROM hosts_with_bits) AS hosts
    )
    SELECT
        if(bit >= 4, 'order', 'wildcard') AS difference,
        if(bit IN (2, 8), 'allow', 'disallow') AS rule_type,
        sum(differing.rules)::BIGINT AS rules,
        round(100.0 * sum(differing.rules) / nullif(any_value(total.rules), 0), 2) AS pct_of_rules,
        count(*) AS policies,
        any_value(by_hosts.hosts) AS hosts,
        round(100.0 * any_value(by_hosts.hosts) / nullif(any_value(total.hosts), 0), 2) AS pct_of_hosts,
        any_value(total.rules) AS n,
        'rules' AS population,
        'rule' AS unit,
        all_crawls() AS all_crawls
    FROM differing LEFT JOIN by_hosts USING (bit), total
    GROUP BY bit
    ORDER BY rules DESC, difference, rule_type;
