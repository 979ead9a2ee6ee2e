-- Do the hosts of one registrable domain agree about a crawler?
--
-- Topic: Who may crawl.
-- Reproduces: the unit of studies that count registrable domains (Liu et al., Cui et al.) and not
--   hosts, with the domains for which the choice matters.
-- Denominator: registrable domains with a host that answered conclusively (with a file, or without
--   one), each once per crawl. all_full: every such host fully blocks the crawler;
--   some_full: some host does and another does not.
-- Parameters: crawl (the last one, by label), agents (the 10 AI agents that most policies name).
CREATE OR REPLACE MACRO agent_restrictions_by_domain(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(10))) AS product_token
    ),
    domains AS (
        SELECT
            product_token,
            url_host_registered_domain,
            count(*) AS hosts,
            count(*) FILTER (restriction = 'full') AS hosts_full,
            count(*) FILTER (source = 'own') AS hosts_naming
        FROM agent_answers_in((SELECT list(product_token) FROM chosen), crawl)
        WHERE url_host_registered_domain IS NOT NULL
        GROUP BY ALL
    )
    SELECT
        product_token,
        count(*) AS domains,
        count(*) FILTER (hosts_naming > 0) AS domains_naming,
        pct(count(*) FILTER (hosts_full = hosts), count(*)) AS pct_all_full,
        pct(count(*) FILTER (hosts_full BETWEEN 1 AND hosts - 1), count(*)) AS pct_some_full,
        count(*) FILTER (hosts > 1) AS domains_with_several_hosts
    FROM domains
    GROUP BY product_token
    ORDER BY pct_all_full DESC, product_token;
