-- What do hosts allow a crawler, whether they name it or not?
-- Keywords: blocked, disallowed, fallback, wildcard, implicit, full, partial.
-- Reproduces: explicit blocks and blocks by `*` (Liu et al., IMC 2025); figures "with fallback to *" (Common Crawl).
-- Denominator: hosts of the population that gave a usable answer (n). own: by the crawler's own group; other: by its
--   fallback's group, or the group for `*`; unaddressed: the file lacks all of these groups. The shares of a row add up
--   to 100.
-- Intervals: none; for full blocks, see ai-agents-most-blocked with agents and agent-restrictions-over-time.
CREATE OR REPLACE MACRO agent_restrictions_effective(
    agents := NULL, crawl := NULL, population := 'answered', "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by(population, crawl, "by", weights) WHERE is_settled)
    SELECT
        category, product_token,
        pct_where(answers.source = 'own' AND restriction = 'full', weight) AS pct_own_full,
        pct_where(answers.source = 'own' AND restriction = 'partial', weight) AS pct_own_partial,
        pct_where(answers.source = 'own' AND restriction = 'none', weight) AS pct_own_none,
        pct_where(answers.source IN ('fallback', 'wildcard') AND restriction = 'full', weight) AS pct_other_full,
        pct_where(answers.source IN ('fallback', 'wildcard') AND restriction = 'partial', weight) AS pct_other_partial,
        pct_where(answers.source IN ('fallback', 'wildcard') AND restriction = 'none', weight) AS pct_other_none,
        pct_where(answers.source = 'none', weight) AS pct_unaddressed,
        pct_where(answers.source = 'no_file', weight) AS pct_no_file,
        sum(hosts)::BIGINT AS n,
        population AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted_answers(chosen_agents(agents, 40), 'population') AS answers
    LEFT JOIN agent_kinds USING (product_token)
    GROUP BY category, product_token
    ORDER BY pct_own_full DESC, pct_other_full DESC, product_token;
