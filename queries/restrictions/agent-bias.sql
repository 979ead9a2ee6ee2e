-- Which crawlers are treated better or worse than all others?
-- Keywords: favoured, favourability, penalised, preferential treatment, exception, better than *, GetBias.
-- Reproduces: the log ratio of "disallow all" for a crawler and for `*` ("bias": Common Crawl's
--   robots.txt poster, IIPC 2025); GetBias (favourability: Sun et al., WWW 2007; Kolay et al., WWW
--   2008; Cui et al., CCS 2025), over all paths instead of the paths that a file names.
-- Denominator: hosts with a file that has rules (n). bias: the binary logarithm of pct_full over the pct_full of `*`.
--   looser: the crawler's own group allows the paths that `*` allows and more; stricter: fewer; mixed: some more, some
--   fewer (agents.versus_wildcard). favourability: (looser - stricter) / n.
-- Intervals: none; for pct_full, see agent-restrictions-over-time with population=with_rules.
CREATE OR REPLACE MACRO agent_bias(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    answers AS (
        SELECT
            product_token,
            sum(if(restriction = 'full', weight, 0)) AS blocked, sum(weight) AS total, sum(hosts)::BIGINT AS n
        FROM counted_answers(chosen_agents(agents, 30), 'population')
        GROUP BY product_token
    ),
    naming AS (
        SELECT
            product_token,
            sum(if(restriction = 'full', weight, 0)) AS blocked, count(*) AS hosts_naming,
            count(*) FILTER (versus_wildcard = 'looser') AS hosts_looser,
            count(*) FILTER (versus_wildcard = 'equal') AS hosts_equal,
            count(*) FILTER (versus_wildcard = 'stricter') AS hosts_stricter,
            count(*) FILTER (versus_wildcard = 'mixed') AS hosts_mixed
        FROM population JOIN agents USING (policy_id)
        GROUP BY product_token
    ),
    everybody AS (SELECT coalesce(sum(blocked), 0) AS blocked FROM naming WHERE product_token = '*')
    SELECT
        product_token, coalesce(hosts_naming, 0) AS hosts_naming,
        pct(answers.blocked, total) AS pct_full, pct(everybody.blocked, total) AS pct_full_of_everybody,
        -- Never -0.
        round(log2(nullif(answers.blocked, 0) / nullif(everybody.blocked, 0)), 2) + 0.0 AS bias,
        round(coalesce(naming.hosts_looser - naming.hosts_stricter, 0) / n, 4) + 0.0 AS favourability,
        coalesce(COLUMNS(['hosts_looser', 'hosts_equal', 'hosts_stricter', 'hosts_mixed']), 0),
        n, 'with_rules' AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM answers
    CROSS JOIN everybody
    LEFT JOIN naming USING (product_token)
    ORDER BY bias DESC NULLS LAST, hosts_naming DESC, product_token;
