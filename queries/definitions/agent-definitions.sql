-- How many hosts count as blocking a crawler, named or not: by our exact definition and by the
-- three published ones?
--
-- Topic: How others count.
-- Keywords: methods, comparison of studies, replication, Longpre, Liu, Common Crawl.
-- Reproduces: "disallow all, allow part, allow all" with fallback to `*` of Common Crawl's
--   robots.txt experiments (cc_), "all, some, none" of the Data Provenance Initiative (dpi_),
--   "full, partial, none" of Liu et al., IMC 2025 (imc_). All over RFC 9309 groups, which their
--   scripts form otherwise: grouping-errors.sql counts what that does.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like), where everything is allowed. Shares are of these (n), in per cent.
-- Intervals: none; definitions are compared over the same hosts. Those of pct_full:
--   agent-restrictions-over-time.
-- Parameters: crawl, agents (the 20 of the catalogue that most policies name), by, weights.
CREATE OR REPLACE MACRO agent_definitions(
    agents := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights)),
    chosen AS MATERIALIZED (SELECT coalesce(known_tokens(agents), usual_agents(20)) AS tokens),
    answers AS (
        SELECT product_token, 'exact ' || restriction AS answer, hosts, weight
        FROM counted_answers((SELECT tokens FROM chosen), 'population')
        UNION ALL
        SELECT product_token, 'cc ' || restriction, 0, weight
        FROM counted_answers((SELECT tokens FROM chosen), 'population', definition := 'restriction_cc')
        UNION ALL
        SELECT product_token, 'dpi ' || restriction, 0, weight
        FROM counted_answers((SELECT tokens FROM chosen), 'population', definition := 'restriction_dpi')
        UNION ALL
        SELECT product_token, 'imc ' || restriction, 0, weight
        FROM counted_answers((SELECT tokens FROM chosen), 'population', definition := 'restriction_imc')
    ),
    counted AS (
        SELECT
            product_token,
            answer,
            sum(hosts) AS hosts,
            pct(sum(weight), (SELECT sum(weight) FROM population)) AS share
        FROM answers
        GROUP BY ALL
    )
    SELECT
        product_token,
        coalesce(any_value(share) FILTER (answer = 'exact full'), 0) AS pct_full,
        coalesce(any_value(share) FILTER (answer = 'cc disallow_all'), 0) AS pct_cc_disallow_all,
        coalesce(any_value(share) FILTER (answer = 'dpi all'), 0) AS pct_dpi_all,
        coalesce(any_value(share) FILTER (answer = 'imc full'), 0) AS pct_imc_full,
        coalesce(any_value(share) FILTER (answer = 'exact partial'), 0) AS pct_partial,
        coalesce(any_value(share) FILTER (answer = 'cc allow_part'), 0) AS pct_cc_allow_part,
        coalesce(any_value(share) FILTER (answer = 'dpi some'), 0) AS pct_dpi_some,
        coalesce(any_value(share) FILTER (answer = 'imc partial'), 0) AS pct_imc_partial,
        coalesce(any_value(share) FILTER (answer = 'exact none'), 0) AS pct_none,
        coalesce(any_value(share) FILTER (answer = 'cc allow_all'), 0) AS pct_cc_allow_all,
        coalesce(any_value(share) FILTER (answer = 'dpi none'), 0) AS pct_dpi_none,
        coalesce(any_value(share) FILTER (answer = 'imc none'), 0) AS pct_imc_none,
        sum(hosts)::BIGINT AS n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted
    GROUP BY product_token
    ORDER BY pct_full DESC, product_token;
