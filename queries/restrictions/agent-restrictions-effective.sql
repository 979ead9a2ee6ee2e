-- What do hosts allow a crawler, whether they name it or not?
--
-- Topic: Who may crawl.
-- Keywords: blocked, disallowed, fallback, wildcard, implicit, full, partial.
-- Reproduces: explicit and by way of `*`, fully and partly disallowed, of Liu et al., IMC 2025; and
--   the figures "with fallback to *" of Common Crawl's robots.txt experiments.
-- Denominator: the population (n): hosts, each once per crawl, that answered conclusively, with a
--   file, or that there is none. own: in a group of the crawler's own; other: in that of its
--   fallback, or for `*`; unaddressed: a file without a group that holds for it. The shares of a
--   row add up to 100.
-- Intervals: none; see full blocks: ai-agents-most-blocked with agents,
--   agent-restrictions-over-time.
-- Parameters: agents (the 40 of the catalogue that most policies name), crawl, population
--   (answered; with_file, with_rules), by, weights.
CREATE OR REPLACE MACRO agent_restrictions_effective(
    agents := NULL,
    crawl VARCHAR := NULL,
    population VARCHAR := 'answered',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        FROM hosts_by(population, crawl, "by", weights) WHERE is_settled
    ),
    answers AS (
        SELECT
            product_token,
            CASE
                WHEN source = 'no_file' THEN source
                WHEN source = 'none' THEN 'unaddressed'
                ELSE if(source = 'own', 'own_', 'other_') || restriction
            END AS answer,
            hosts,
            weight
        FROM counted_answers(coalesce(known_tokens(agents), usual_agents(40)), 'population')
    )
    SELECT
        category,
        product_token,
        pct(coalesce(sum(weight) FILTER (answer = 'own_full'), 0), sum(weight)) AS pct_own_full,
        pct(coalesce(sum(weight) FILTER (answer = 'own_partial'), 0), sum(weight)) AS pct_own_partial,
        pct(coalesce(sum(weight) FILTER (answer = 'own_none'), 0), sum(weight)) AS pct_own_none,
        pct(coalesce(sum(weight) FILTER (answer = 'other_full'), 0), sum(weight)) AS pct_other_full,
        pct(coalesce(sum(weight) FILTER (answer = 'other_partial'), 0), sum(weight)) AS pct_other_partial,
        pct(coalesce(sum(weight) FILTER (answer = 'other_none'), 0), sum(weight)) AS pct_other_none,
        pct(coalesce(sum(weight) FILTER (answer = 'unaddressed'), 0), sum(weight)) AS pct_unaddressed,
        pct(coalesce(sum(weight) FILTER (answer = 'no_file'), 0), sum(weight)) AS pct_no_file,
        sum(hosts)::BIGINT AS n,
        population AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM answers
    LEFT JOIN known_agents USING (product_token)
    GROUP BY category, product_token
    ORDER BY pct_own_full DESC, pct_other_full DESC, product_token;
