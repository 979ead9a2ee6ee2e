-- Which features of the path language do rules use: wildcards, end anchors, queries?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: pattern restrictions of Longpre et al. 2024 and use of wildcards in thunderbit's study, over
--   all rules.
-- Denominator: pct_of_rules is of the rules of all hosts (a policy's as often as hosts share it),
--   pct_of_hosts_with_rules of hosts, each once per crawl, with a file that has rules. Rows overlap.
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO rule_features(crawl VARCHAR := NULL) AS TABLE
    WITH crawled AS (
        SELECT policy_id, count(*) AS hosts FROM of_crawl('host_files', crawl)
        WHERE has_rules
        GROUP BY policy_id
    ),
    features AS (
        SELECT
            policy_id,
            count(*) AS "rule",
            count(*) FILTER (rule_type = 'allow') AS "allow rule",
            count(*) FILTER (has_wildcard) AS "wildcard *",
            count(*) FILTER (has_end_anchor) AS "end anchor $",
            count(*) FILTER (has_query) AS "query ?",
            count(*) FILTER (is_root) AS "matches everything",
            count(*) FILTER (is_empty) AS "empty",
            count(*) FILTER (path_raw IS NOT NULL) AS "changed by normalisation",
            count(*) FILTER (NOT is_empty AND path[1] NOT IN ('/', '*')) AS "begins with neither / nor *",
            count(*) FILTER (path_length > 255) AS "over 255 bytes",
            count(*) FILTER (is_typo OR is_missing_colon) AS "tolerated spelling"
        FROM rules SEMI JOIN crawled USING (policy_id)
        GROUP BY policy_id
    ),
    long AS (
        UNPIVOT features ON COLUMNS(* EXCLUDE policy_id) INTO NAME feature VALUE rules
    )
    SELECT
        feature,
        sum(rules * hosts)::BIGINT AS rules,
        pct(sum(rules * hosts), max(sum(rules * hosts)) OVER ()) AS pct_of_rules,
        coalesce(sum(hosts) FILTER (rules > 0), 0)::BIGINT AS hosts,
        pct(coalesce(sum(hosts) FILTER (rules > 0), 0), (SELECT sum(hosts) FROM crawled)) AS pct_of_hosts_with_rules
    FROM long
    JOIN crawled USING (policy_id)
    GROUP BY feature
    ORDER BY rules DESC, feature;
