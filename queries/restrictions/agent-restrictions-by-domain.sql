-- Do the hosts of one registrable domain agree about a crawler?
-- Keywords: subdomains, consistency within a site, company, organisation.
-- Reproduces: registrable domains as the unit (Liu et al.; Cui et al.), with the domains whose hosts differ.
-- Denominator: registrable domains with a host that answered (n). all_full: all of the domain's hosts block the
--   crawler; some_full: only some do.
-- Unit: registrable domains, which the question is about; for shares of hosts, see agent-restrictions-over-time.
CREATE OR REPLACE MACRO agent_restrictions_by_domain(agents := NULL, crawl := NULL) AS TABLE
    WITH hosts_answered AS MATERIALIZED (
        SELECT domain, policy_id FROM hosts_in('answered', crawl) WHERE url_host_registered_domain IS NOT NULL
    ),
    -- The unit is the domain, so each domain is a cluster.
    population AS MATERIALIZED (
        SELECT NULL AS stratum, NULL::BIGINT AS cluster, 1.0 AS weight, domain, count(*) AS hosts
        FROM hosts_answered
        GROUP BY domain
    ),
    asked AS MATERIALIZED (SELECT unnest(chosen_ai_agents(agents, 10)) AS part),
    answers AS MATERIALIZED (
        SELECT
            product_token AS part, domain,
            count(*) FILTER (restriction = 'full') AS hosts_blocking,
            bool_or(source = 'own') AS is_named
        FROM hosts_answered JOIN effective_agents_of((SELECT list(part) FROM asked)) USING (policy_id)
        GROUP BY ALL
    ),
    answering AS MATERIALIZED (
        SELECT
            population.*, part, is_named,
            hosts_blocking = hosts AS all_full,
            hosts_blocking BETWEEN 1 AND hosts - 1 AS some_full
        FROM population JOIN answers USING (domain)
    )
    SELECT
        part AS product_token,
        found['is_named'].hosts AS domains_naming,
        found['all_full'].share AS pct_all_full, found['all_full'].low AS pct_low, found['all_full'].high AS pct_high,
        found['some_full'].share AS pct_some_full,
        (SELECT count(*) FROM population WHERE hosts > 1) AS domains_with_several_hosts,
        n, 'answered' AS population, 'domain' AS unit, known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(part, known_crawl(crawl)), found['all_full'].note]) AS note
    FROM shares_of_answers('answering', 'population', ['is_named', 'all_full', 'some_full'], 'asked')
    ORDER BY pct_all_full DESC, part;
