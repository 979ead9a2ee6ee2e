-- Which features of the path language do rules use: wildcards, end anchors, queries?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: pattern restrictions of Longpre et al. 2024 and use of wildcards in thunderbit's study, over
--   all rules.
-- Denominator: pct_of_rules is of the rules of all hosts (a policy's as often as hosts share it),
--   pct_of_hosts_with_rules of hosts, each once per crawl, with a file that has rules (n). Rows overlap.
--   pct_low and pct_high are the ends of the 95% interval of the latter, with registrable domains as
--   clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO rule_features(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH features(feature, bit) AS (VALUES
        ('rule', 1),
        ('allow rule', 2),
        ('wildcard *', 4),
        ('end anchor $', 8),
        ('query ?', 16),
        ('matches everything', 32),
        ('empty', 64),
        ('changed by normalisation', 128),
        ('begins with neither / nor *', 256),
        ('over 255 bytes', 512),
        ('tolerated spelling', 1024)
    ),
    crawled AS MATERIALIZED (
        SELECT policy_id, sum(hosts) AS hosts, sum(weight) AS weight
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    -- Rules are brought together by what they have, each feature a bit.
    alike AS MATERIALIZED (
        SELECT
            policy_id,
            1
                + if(rule_type = 'allow', 2, 0)
                + if(has_wildcard, 4, 0)
                + if(has_end_anchor, 8, 0)
                + if(has_query, 16, 0)
                + if(is_root, 32, 0)
                + if(is_empty, 64, 0)
                + if(path_raw IS NOT NULL, 128, 0)
                + if(NOT is_empty AND path[1] NOT IN ('/', '*'), 256, 0)
                + if(path_length > 255, 512, 0)
                + if(is_typo OR is_missing_colon, 1024, 0) AS bits,
            count(*) AS rules
        FROM rules SEMI JOIN crawled USING (policy_id)
        GROUP BY ALL
    ),
    of_rules AS (
        SELECT feature, sum(rules)::BIGINT AS rules, sum(weight) AS weight
        FROM (
            SELECT bits, sum(rules * hosts) AS rules, sum(rules * weight) AS weight
            FROM alike JOIN crawled USING (policy_id)
            GROUP BY bits
        )
        JOIN features ON bits & bit > 0
        GROUP BY feature
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, bits, sum(hosts) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        JOIN (SELECT policy_id, bit_or(bits) AS bits FROM alike GROUP BY policy_id) USING (policy_id)
        GROUP BY ALL
    ),
    having_one AS MATERIALIZED (
        SELECT NULL AS stratum, feature AS part, cluster, hosts, weight, squares
        FROM of_clusters
        JOIN features ON bits & bit > 0
    ),
    of_hosts AS (
        SELECT part, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight FROM having_one GROUP BY part
    )
    SELECT
        feature,
        coalesce(rules, 0) AS rules,
        pct(coalesce(of_rules.weight, 0), max(of_rules.weight) OVER ()) AS pct_of_rules,
        coalesce(of_hosts.hosts, 0) AS hosts,
        pct(coalesce(of_hosts.weight, 0), (SELECT sum(weight) FROM crawled)) AS pct_of_hosts_with_rules,
        low AS pct_low,
        high AS pct_high,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM features
    LEFT JOIN of_rules USING (feature)
    LEFT JOIN of_hosts ON of_hosts.part = feature
    LEFT JOIN shares_of(
        'FROM having_one',
        'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters',
        'SELECT feature AS part FROM features'
    ) AS shares ON shares.part = feature
    WHERE EXISTS (FROM crawled)
    ORDER BY rules DESC, feature;
