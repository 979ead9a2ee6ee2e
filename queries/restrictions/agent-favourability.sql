-- Which crawlers do hosts favour: to which do they allow more paths than to all others?
--
-- Topic: Who may crawl.
-- Keywords: favoured, GetBias, preferential treatment, better than others.
-- Reproduces: the bias of robots.txt files (GetBias) of Sun et al., WWW 2007, as Kolay et al., WWW
--   2008, and Cui et al., CCS 2025, used it, by all paths in place of the paths that a file names.
-- Denominator: hosts, each once per crawl, with a file that has rules: favoured minus disfavoured
--   over all of them is favourability (from -1 to 1). A host favours a crawler if its group allows
--   the paths that `*` allows and more (agents.versus_wildcard, exact), disfavours it if it allows
--   fewer; mixed hosts allow some paths more and others less. Crawlers that are not named are
--   treated as everybody.
-- Parameters: crawl, agents (the 12 of the catalogue that most policies name).
CREATE OR REPLACE MACRO agent_favourability(
    agents := NULL,
    crawl VARCHAR := NULL
) AS TABLE
    WITH crawled AS (
        SELECT policy_id, count(*) AS hosts
        FROM hosts_in('with_rules', crawl)
        GROUP BY policy_id
    )
    SELECT
        product_token,
        sum(hosts)::BIGINT AS hosts_naming,
        coalesce(sum(hosts) FILTER (versus_wildcard = 'looser'), 0)::BIGINT AS hosts_favouring,
        coalesce(sum(hosts) FILTER (versus_wildcard = 'stricter'), 0)::BIGINT AS hosts_disfavouring,
        coalesce(sum(hosts) FILTER (versus_wildcard = 'mixed'), 0)::BIGINT AS hosts_mixed,
        round((hosts_favouring - hosts_disfavouring) / population_size('with_rules', crawl), 4) + 0.0 AS favourability,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM agents
    JOIN crawled USING (policy_id)
    WHERE product_token IN (SELECT unnest(coalesce(known_tokens(agents), usual_agents(12))))
    GROUP BY product_token
    ORDER BY favourability DESC, product_token;
