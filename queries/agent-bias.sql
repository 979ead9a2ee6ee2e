-- Which crawlers are treated better or worse than all others?
--
-- Topic: Who may crawl.
-- Reproduces: the log ratio of "disallow all" for a crawler and for `*` ("bias") of Common Crawl's
--   robots.txt poster (IIPC 2025); agents that are favoured or penalised against `*` of its OSSYM 2022
--   talk.
-- Denominator: hosts, each once per crawl, with a file that has rules. pct_full is over all of them,
--   the crawler's own group first, then its fallback's or that for `*`; bias is the binary logarithm
--   of that share over the one of `*` (0: as everybody; 1: blocked twice as often; null where one
--   of them is 0). looser, stricter and alike compare the exact restrictions of a crawler's own group
--   with the restrictions for `*`, or with "nothing disallowed"; identical: the same rules in the same
--   order, written twice.
-- Intervals: none; see pct_full: agent-restrictions-over-time with population with_rules.
-- Parameters: crawl (the last one in time), agents (the 30 of the catalogue that most policies
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
    asked AS (
        FROM asked_agents((SELECT list(product_token) FROM chosen))
    ),
    crawled AS MATERIALIZED (
        SELECT
            policy_id,
            hosts,
            weight,
            coalesce(list_position(['none', 'partial', 'full'], restriction), 1) AS of_everybody
        FROM (
            SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
            FROM hosts_by('with_rules', crawl, "by", weights)
            GROUP BY policy_id
        )
        LEFT JOIN (FROM agents WHERE product_token = '*') AS everybody USING (policy_id)
    ),
    total AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            sum(weight) AS w,
            coalesce(sum(hosts) FILTER (of_everybody = 3), 0) AS hosts_full,
            coalesce(sum(weight) FILTER (of_everybody = 3), 0) AS blocked
        FROM crawled
    ),
    named AS (
        SELECT
            product_token,
            source = 'own' AS is_own,
            hosts,
            weight,
            list_position(['none', 'partial', 'full'], restriction) AS strictness,
            of_everybody,
            same_as_wildcard,
            added_to('full', restriction, else_restriction) AS more
        FROM crawled
        JOIN named_agents_of((SELECT list(product_token) FROM chosen)) AS effective USING (policy_id)
    ),
    summed AS (
        SELECT
            product_token,
            sum(hosts) FILTER (is_own) AS naming,
            sum(hosts * more) AS more_hosts,
            sum(weight * more) AS more_blocked,
            sum(hosts) FILTER (is_own AND strictness < of_everybody) AS looser,
            sum(hosts) FILTER (is_own AND strictness = of_everybody) AS alike,
            sum(hosts) FILTER (is_own AND strictness > of_everybody) AS stricter,
            sum(hosts) FILTER (is_own AND same_as_wildcard) AS identical
        FROM named
        GROUP BY product_token
    ),
    counted AS (
        SELECT
            product_token,
            n,
            w,
            total.blocked AS of_everybody,
            summed.* EXCLUDE (product_token),
            -- Sums of differences end near 0, not at it.
            if(
                hosts_full * obeys_wildcard::INTEGER + coalesce(more_hosts, 0) = 0,
                0,
                total.blocked * obeys_wildcard::INTEGER + coalesce(more_blocked, 0)
            ) AS blocked
        FROM asked
        CROSS JOIN total
        LEFT JOIN summed USING (product_token)
        WHERE n > 0
    )
    SELECT
        product_token,
        coalesce(naming, 0)::BIGINT AS hosts_naming,
        pct(blocked, w) AS pct_full,
        pct(of_everybody, w) AS pct_full_of_everybody,
        -- Never -0.
        round(log2(nullif(blocked, 0) / nullif(of_everybody, 0)), 2) + 0.0 AS bias,
        coalesce(looser, 0)::BIGINT AS hosts_looser,
        coalesce(alike, 0)::BIGINT AS hosts_alike,
        coalesce(stricter, 0)::BIGINT AS hosts_stricter,
        coalesce(identical, 0)::BIGINT AS hosts_identical,
        n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted
    ORDER BY bias DESC NULLS LAST, hosts_naming DESC, product_token;
