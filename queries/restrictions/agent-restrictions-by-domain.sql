-- Do the hosts of one registrable domain agree about a crawler?
--
-- Topic: Who may crawl.
-- Keywords: subdomains, consistency within a site, company, organisation.
-- Reproduces: the unit of studies that count registrable domains (Liu et al., Cui et al.) and not
--   hosts, with the domains for which the choice matters.
-- Denominator: registrable domains with a host that answered conclusively (with a file, or without
--   one), each once per crawl (n). all_full: every such host fully blocks the crawler; some_full:
--   some host does and another does not. pct_low and pct_high are the ends of the 95% interval of
--   pct_all_full.
-- Unit: registrable domains, which is what it is about; shares of hosts:
--   agent-restrictions-over-time.
-- Parameters: crawl, agents (the 10 AI agents that most policies name).
CREATE OR REPLACE MACRO agent_restrictions_by_domain(
    agents := NULL,
    crawl VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT coalesce(known_tokens(agents), usual_ai_agents(10)) AS tokens
    ),
    settled AS MATERIALIZED (
        SELECT domain, policy_id FROM hosts_in('answered', crawl) WHERE url_host_registered_domain IS NOT NULL
    ),
    -- The unit is the domain: each is a cluster of its own.
    population AS MATERIALIZED (
        SELECT NULL AS stratum, NULL::BIGINT AS cluster, 1.0 AS weight, domain, count(*) AS hosts
        FROM settled
        GROUP BY domain
    ),
    blocking AS MATERIALIZED (
        SELECT product_token AS part, domain, count(*) AS hosts_blocking
        FROM settled
        JOIN blocking_policies((SELECT tokens FROM chosen)) USING (policy_id)
        GROUP BY ALL
    ),
    all_full AS (
        SELECT population.*, part FROM population JOIN blocking USING (domain) WHERE hosts_blocking = hosts
    ),
    some_full AS (
        SELECT part, count(*) AS domains
        FROM population
        JOIN blocking USING (domain)
        WHERE hosts_blocking < hosts
        GROUP BY part
    ),
    naming AS (
        SELECT product_token AS part, count(DISTINCT domain) AS domains
        FROM settled
        JOIN agents USING (policy_id)
        WHERE list_contains((SELECT tokens FROM chosen), product_token)
        GROUP BY part
    ),
    asked AS (SELECT unnest(tokens) AS part FROM chosen)
    SELECT
        part AS product_token,
        coalesce(naming.domains, 0) AS domains_naming,
        share AS pct_all_full,
        low AS pct_low,
        high AS pct_high,
        pct(coalesce(some_full.domains, 0), n) AS pct_some_full,
        (SELECT count(*) FROM population WHERE hosts > 1) AS domains_with_several_hosts,
        n,
        'answered' AS population,
        'domain' AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(part, known_crawl(crawl)), note]) AS note
    FROM shares('all_full', 'population', 'asked') AS shares
    LEFT JOIN naming USING (part)
    LEFT JOIN some_full USING (part)
    ORDER BY pct_all_full DESC, part;
