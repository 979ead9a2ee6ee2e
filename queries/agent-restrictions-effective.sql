-- What do hosts allow a crawler, whether they name it or not?
--
-- Topic: Who may crawl.
-- Reproduces: explicit and by way of `*`, fully and partly disallowed, of Liu et al., IMC 2025; and
--   the figures "with fallback to *" of Common Crawl's robots.txt experiments.
-- Denominator: hosts, each once per crawl, that settled the question: with a file, or without one
--   (404 and the like). Hosts that were forbidden, failed or redirected nowhere are left out. Each
--   row adds up to 100. own_: a group of the crawler's own; other_: that of its documented fallback
--   or of `*`; unaddressed: a file that says nothing to it; no_file: no robots.txt.
-- Parameters: crawl (the last one, by label), agents (the 40 of the catalogue that most policies name).
CREATE OR REPLACE MACRO agent_restrictions_effective(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(40))) AS product_token
    ),
    settled AS (
        SELECT policy_id, count(*) AS hosts
        FROM of_crawl('hosts', crawl)
        WHERE (policy_id IS NOT NULL OR final_status = 204 OR response_class = 'allow_all')
        GROUP BY policy_id
    ),
    total AS (
        SELECT sum(hosts) AS hosts, coalesce(sum(hosts) FILTER (policy_id IS NULL), 0) AS without_file FROM settled
    ),
    shares AS (
        SELECT
            category,
            product_token,
            CASE
                WHEN source = 'none' THEN 'unaddressed'
                ELSE if(source = 'own', 'own_', 'other_') || restriction
            END AS answer,
            sum(hosts) AS hosts
        FROM settled
        JOIN effective_agents_of((SELECT list(product_token) FROM chosen)) USING (policy_id)
        LEFT JOIN known_agents USING (product_token)
        GROUP BY ALL
    )
    SELECT
        category,
        product_token,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'own_full'), 0), any_value(total.hosts)) AS own_full,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'own_partial'), 0), any_value(total.hosts)) AS own_partial,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'own_none'), 0), any_value(total.hosts)) AS own_none,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'other_full'), 0), any_value(total.hosts)) AS other_full,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'other_partial'), 0), any_value(total.hosts)) AS other_partial,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'other_none'), 0), any_value(total.hosts)) AS other_none,
        pct(coalesce(sum(shares.hosts) FILTER (answer = 'unaddressed'), 0), any_value(total.hosts)) AS unaddressed,
        pct(any_value(total.without_file), any_value(total.hosts)) AS no_file
    FROM shares
    CROSS JOIN total
    GROUP BY category, product_token
    ORDER BY own_full DESC, other_full DESC, product_token;
