-- Which features of the path language do rules use: wildcards, end anchors, queries?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: pattern restrictions of Longpre et al. 2024 and use of wildcards in thunderbit's study, over
--   all rules.
-- Denominator: pct_of_rules is of the rules of all hosts (a policy's as often as hosts share it),
--   pct_of_hosts_with_rules of hosts, each once per crawl, with a file that has rules (n). Rows overlap.
--   pct_low and pct_high are the ends of the 95% interval of the latter, with registrable domains as
--   clusters.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO rule_features(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, hosts, weight, squares
        FROM hosts_by('with_rules', crawl, "by", weights)
    ),
    crawled AS MATERIALIZED (
        SELECT policy_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY policy_id
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
    long AS MATERIALIZED (
        UNPIVOT features ON COLUMNS(* EXCLUDE policy_id) INTO NAME feature VALUE rules
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, feature AS part, cluster, hosts, weight, squares
            FROM long JOIN of_clusters USING (policy_id) WHERE rules > 0',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters'
        )
    )
    SELECT
        feature,
        sum(rules * hosts)::BIGINT AS rules,
        pct(sum(rules * weight), max(sum(rules * weight)) OVER ()) AS pct_of_rules,
        coalesce(sum(hosts) FILTER (rules > 0), 0)::BIGINT AS hosts,
        pct(coalesce(sum(weight) FILTER (rules > 0), 0), (SELECT sum(weight) FROM crawled)) AS pct_of_hosts_with_rules,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit
    FROM long
    JOIN crawled USING (policy_id)
    LEFT JOIN shares ON part = feature
    GROUP BY feature
    ORDER BY rules DESC, feature;
