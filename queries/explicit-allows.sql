-- Who allows a crawler everything by name, and is that needed?
--
-- Topic: Who may crawl.
-- Reproduces: explicit allows of AI crawlers of Liu et al., IMC 2025 (figure 4), and of thunderbit's AI
--   crawler study.
-- Denominator: hosts, each once per crawl, whose file names the crawler (pct_of_hosts_naming).
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
    crawled AS (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    )
    SELECT
        own.product_token,
        sum(hosts)::BIGINT AS hosts_naming,
        coalesce(sum(hosts) FILTER (own.restriction = 'none'), 0)::BIGINT AS allowed_by_name,
        pct(coalesce(sum(weight) FILTER (own.restriction = 'none'), 0), sum(weight)) AS pct_of_hosts_naming,
        coalesce(sum(hosts) FILTER (own.restriction = 'none' AND own.n_allow > 0), 0)::BIGINT AS with_allow,
        coalesce(sum(hosts) FILTER (own.restriction = 'none' AND everybody.restriction = 'partial'), 0)::BIGINT AS needed_for_a_part,
        coalesce(sum(hosts) FILTER (own.restriction = 'none' AND everybody.restriction = 'full'), 0)::BIGINT AS needed_at_all,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit
    FROM crawled
    JOIN agents AS own ON own.policy_id = crawled.policy_id
    LEFT JOIN agents AS everybody ON everybody.policy_id = crawled.policy_id AND everybody.product_token = '*'
    WHERE own.product_token IN (FROM chosen)
    GROUP BY own.product_token
    ORDER BY allowed_by_name DESC, own.product_token;
