-- Who allows a crawler everything by name, and is that needed?
--
-- Topic: Who may crawl.
-- Reproduces: explicit allows of AI crawlers of Liu et al., IMC 2025 (figure 4), and of thunderbit's AI
--   crawler study.
-- Denominator: hosts, each once per crawl, whose file names the crawler (n). Intervals are
--   those of 95%, with registrable domains as clusters.
--   allowed_by_name: everything is allowed in its own group; with_allow: and it has an allow rule, not
--   only an empty disallow; needed: the group for `*` disallows something, so that being named helps.
-- Parameters: crawl (the last one, by label), agents (the 25 of the catalogue that most policies
--   name), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO explicit_allows(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(25))) AS product_token
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY ALL
    ),
    named AS (
        SELECT
            own.policy_id,
            own.product_token,
            own.restriction = 'none' AS allows,
            own.n_allow > 0 AS with_allow,
            everybody.restriction AS of_everybody
        FROM (FROM agents WHERE product_token IN (FROM chosen)) AS own
        LEFT JOIN (FROM agents WHERE product_token = '*') AS everybody ON everybody.policy_id = own.policy_id
    ),
    naming AS MATERIALIZED (
        SELECT product_token AS stratum, cluster, hosts, weight, squares, allows, with_allow, of_everybody
        FROM named
        JOIN of_clusters USING (policy_id)
    ),
    shares AS (
        FROM shares_of('SELECT *, true AS part FROM naming WHERE allows', 'FROM naming')
    )
    SELECT
        stratum AS product_token,
        coalesce(sum(hosts) FILTER (allows), 0)::BIGINT AS allowed_by_name,
        pct(coalesce(sum(weight) FILTER (allows), 0), sum(weight)) AS pct_of_hosts_naming,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        coalesce(sum(hosts) FILTER (allows AND with_allow), 0)::BIGINT AS with_allow,
        coalesce(sum(hosts) FILTER (allows AND of_everybody = 'partial'), 0)::BIGINT AS needed_for_a_part,
        coalesce(sum(hosts) FILTER (allows AND of_everybody = 'full'), 0)::BIGINT AS needed_at_all,
        sum(hosts)::BIGINT AS n,
        'naming the crawler' AS population,
        "by" AS unit
    FROM naming
    LEFT JOIN shares USING (stratum)
    GROUP BY stratum
    ORDER BY allowed_by_name DESC, product_token;
