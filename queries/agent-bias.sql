-- Which crawlers are treated better or worse than everybody else?
--
-- Topic: Who may crawl.
-- Reproduces: the log ratio of a crawler's "disallow all" to that of `*` ("bias") of Common Crawl's
--   robots.txt poster (IIPC 2025); agents that are favoured or penalised against `*` of its OSSYM 2022
--   talk.
-- Denominator: hosts, each once per crawl, with a file that has rules. pct_full is over all of them,
--   the crawler's own group first, then its fallback's or that for `*`; bias is the binary logarithm
--   of that share over the one of `*` (0: as everybody; 1: blocked twice as often; null where one
--   of them is 0). looser, stricter and alike compare the exact restrictions of a crawler's own group
--   with those for `*`, nothing disallowed where there is none; identical: the same rules in the same
--   order, written twice.
-- Parameters: crawl (the last one, by label), agents (the 30 of the catalogue that most policies
--   name), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO agent_bias(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(30))) AS product_token
    ),
    crawled AS (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY policy_id
    ),
    wildcard AS (
        SELECT
            crawled.policy_id,
            hosts,
            weight,
            coalesce(list_position(['none', 'partial', 'full'], restriction), 1) AS strictness
        FROM crawled
        LEFT JOIN agents ON agents.policy_id = crawled.policy_id AND product_token = '*'
    ),
    answers AS (
        SELECT
            effective.product_token,
            source,
            hosts,
            weight,
            list_position(['none', 'partial', 'full'], effective.restriction) AS strictness,
            wildcard.strictness AS of_everybody,
            coalesce(same_as_wildcard, false) AS is_identical
        FROM wildcard
        JOIN effective_agents_of((SELECT list(product_token) FROM chosen)) AS effective ON effective.policy_id = wildcard.policy_id
        LEFT JOIN agents AS own ON own.policy_id = wildcard.policy_id AND own.product_token = effective.product_token
    )
    SELECT
        product_token,
        coalesce(sum(hosts) FILTER (source = 'own'), 0)::BIGINT AS hosts_naming,
        pct(coalesce(sum(weight) FILTER (strictness = 3), 0), sum(weight)) AS pct_full,
        pct(coalesce(sum(weight) FILTER (of_everybody = 3), 0), sum(weight)) AS pct_full_of_everybody,
        round(
            log2(nullif(sum(weight) FILTER (strictness = 3), 0) / nullif(sum(weight) FILTER (of_everybody = 3), 0)),
            2
        ) AS bias,
        coalesce(sum(hosts) FILTER (source = 'own' AND strictness < of_everybody), 0)::BIGINT AS hosts_looser,
        coalesce(sum(hosts) FILTER (source = 'own' AND strictness = of_everybody), 0)::BIGINT AS hosts_alike,
        coalesce(sum(hosts) FILTER (source = 'own' AND strictness > of_everybody), 0)::BIGINT AS hosts_stricter,
        coalesce(sum(hosts) FILTER (source = 'own' AND is_identical), 0)::BIGINT AS hosts_identical,
        (SELECT count(*) FROM of_crawl('hosts_with_rules', crawl)) AS n,
        'with_rules' AS population,
        "by" AS unit
    FROM answers
    GROUP BY product_token
    ORDER BY bias DESC NULLS LAST, hosts_naming DESC, product_token;
