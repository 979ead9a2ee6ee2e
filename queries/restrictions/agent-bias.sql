-- Which crawlers are treated better or worse than all others?
--
-- Topic: Who may crawl.
-- Keywords: favoured, penalised, preferential treatment, exception, better than *.
-- Reproduces: the log ratio of "disallow all" for a crawler and for `*` ("bias") of Common Crawl's
--   robots.txt poster (IIPC 2025); agents that are favoured or penalised against `*` of its OSSYM
--   2022 talk.
-- Denominator: hosts, each once per crawl, with a file that has rules. pct_full is over all of
--   them, the crawler's own group first, then its fallback's or that for `*`; bias is the binary
--   logarithm of that share over the one of `*` (0: as everybody; 1: blocked twice as often; null
--   where one of them is 0). looser, equal, stricter and mixed compare the paths that a crawler
--   with a group of its own may fetch with those that crawlers without one may, exactly
--   (agents.versus_wildcard).
-- Intervals: none; see pct_full: agent-restrictions-over-time with population with_rules.
-- Parameters: crawl, agents (the 30 of the catalogue that most policies name), by, weights.
CREATE OR REPLACE MACRO agent_bias(
    agents := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    chosen AS MATERIALIZED (SELECT coalesce(known_tokens(agents), usual_agents(30)) AS tokens),
    answers AS (
        SELECT
            product_token,
            coalesce(sum(weight) FILTER (restriction = 'full'), 0) AS blocked,
            sum(weight) AS w,
            sum(hosts)::BIGINT AS n
        FROM counted_answers((SELECT tokens FROM chosen), 'population')
        GROUP BY product_token
    ),
    everybody AS (
        SELECT coalesce(sum(weight), 0) AS blocking
        FROM population
        JOIN agents USING (policy_id)
        WHERE product_token = '*' AND restriction = 'full'
    ),
    versus AS (
        SELECT
            product_token,
            count(*) AS naming,
            count(*) FILTER (versus_wildcard = 'looser') AS looser,
            count(*) FILTER (versus_wildcard = 'equal') AS equal,
            count(*) FILTER (versus_wildcard = 'stricter') AS stricter,
            count(*) FILTER (versus_wildcard = 'mixed') AS mixed
        FROM population
        JOIN agents USING (policy_id)
        GROUP BY product_token
    )
    SELECT
        product_token,
        coalesce(naming, 0) AS hosts_naming,
        pct(blocked, w) AS pct_full,
        pct(blocking, w) AS pct_full_of_everybody,
        -- Never -0.
        round(log2(nullif(blocked, 0) / nullif(blocking, 0)), 2) + 0.0 AS bias,
        coalesce(looser, 0) AS hosts_looser,
        coalesce(equal, 0) AS hosts_equal,
        coalesce(stricter, 0) AS hosts_stricter,
        coalesce(mixed, 0) AS hosts_mixed,
        n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM answers
    CROSS JOIN everybody
    LEFT JOIN versus USING (product_token)
    ORDER BY bias DESC NULLS LAST, hosts_naming DESC, product_token;
