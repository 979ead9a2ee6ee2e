-- Which features of the path language do rules use: wildcards, end anchors, queries?
-- Keywords: wildcards, asterisk, dollar, pattern, regex, query string.
-- Reproduces: pattern restrictions (Longpre et al. 2024), use of wildcards (thunderbit's study), over all rules.
-- Denominator: hosts with rules (n); for pct_of_rules, all rules, each counted once per host that has it. Rows overlap.
CREATE OR REPLACE MACRO rule_features(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    having_one AS MATERIALIZED (FROM population JOIN rule_features_of_policies USING (policy_id) WHERE rules > 0),
    parts_asked AS (SELECT DISTINCT part FROM rule_features_of_policies),
    counts AS (
        SELECT part, sum(rules)::BIGINT AS rules, sum(rules * weight) AS weight_of_rules FROM having_one GROUP BY part
    )
    SELECT
        part AS feature,
        coalesce(rules, 0) AS rules, pct(coalesce(weight_of_rules, 0), max(weight_of_rules) OVER ()) AS pct_of_rules,
        hosts, share AS pct_of_hosts_with_rules, pct_low, pct_high, n, population, unit, shares.crawl, note
    FROM shares('having_one', 'population', 'parts_asked') AS shares
    LEFT JOIN counts USING (part)
    ORDER BY rules DESC, feature;
