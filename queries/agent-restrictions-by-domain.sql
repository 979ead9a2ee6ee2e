-- Do the hosts of one registrable domain agree about a crawler?
--
-- Topic: Who may crawl.
-- Reproduces: the unit of studies that count registrable domains (Liu et al., Cui et al.) and not
--   hosts, with the domains for which the choice matters.
-- Denominator: registrable domains with a host that answered conclusively (with a file, or without
--   one), each once per crawl (n). all_full: every such host fully blocks the crawler;
--   some_full: some host does and another does not. pct_low and pct_high are the ends of the 95%
--   interval of pct_all_full.
-- Unit: registrable domains, which is what it is about; shares of hosts: agent-restrictions-over-time.
-- Parameters: crawl (the last one in time), agents (the 10 AI agents that most policies name).
CREATE OR REPLACE MACRO agent_restrictions_by_domain(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(10))) AS product_token
    ),
    asked AS (
        FROM asked_agents((SELECT list(product_token) FROM chosen))
    ),
    -- Where domain_number is null, a host is alone in its domain, and hosts are domains.
    settled AS MATERIALIZED (
        SELECT domain_number, policy_id, count(*) AS hosts
        FROM hosts_in('answered', crawl)
        WHERE url_host_registered_domain IS NOT NULL
        GROUP BY ALL
    ),
    -- What every domain answers if it names nobody.
    domains AS MATERIALIZED (
        SELECT
            domain_number,
            sum(hosts)::BIGINT AS hosts,
            coalesce(sum(hosts * (policy_id IN (
                SELECT policy_id FROM agents WHERE product_token = '*' AND restriction = 'full'
            ))::INTEGER), 0)::BIGINT AS hosts_full
        FROM settled
        GROUP BY domain_number
    ),
    total AS (
        SELECT
            sum(cluster_count(domain_number, hosts))::BIGINT AS domains,
            sum(if(domain_number IS NULL, hosts_full, (hosts_full = hosts)::INTEGER))::BIGINT AS all_full,
            count(*) FILTER (domain_number IS NOT NULL AND hosts_full BETWEEN 1 AND hosts - 1) AS some_full,
            count(*) FILTER (domain_number IS NOT NULL AND hosts > 1) AS several
        FROM domains
    ),
    named AS (
        SELECT
            product_token,
            domain_number,
            any_value(obeys_wildcard)::INTEGER AS obeys,
            sum(hosts * (source = 'own')::INTEGER)::BIGINT AS hosts_naming,
            sum(hosts * added_to('full', restriction, else_restriction))::BIGINT AS more_full
        FROM settled
        JOIN named_agents_of((SELECT list(product_token) FROM chosen)) AS named USING (policy_id)
        GROUP BY ALL
    ),
    differing AS (
        SELECT
            product_token,
            sum(if(named.domain_number IS NULL, hosts_naming, (hosts_naming > 0)::INTEGER))::BIGINT AS naming,
            sum(if(
                named.domain_number IS NULL,
                more_full,
                (hosts_full * obeys + more_full = hosts)::INTEGER - (hosts_full * obeys = hosts)::INTEGER
            ))::BIGINT AS more_all,
            sum(if(
                named.domain_number IS NULL,
                0,
                (hosts_full * obeys + more_full BETWEEN 1 AND hosts - 1)::INTEGER
                    - (hosts_full * obeys BETWEEN 1 AND hosts - 1)::INTEGER
            ))::BIGINT AS more_some
        FROM named
        JOIN domains ON domains.domain_number IS NOT DISTINCT FROM named.domain_number
        GROUP BY product_token
    )
    SELECT
        product_token,
        coalesce(naming, 0) AS domains_naming,
        pct(all_hosts_full, domains) AS pct_all_full,
        pct_limit(of_all.low) AS pct_low,
        pct_limit(of_all.high) AS pct_high,
        pct(some_full * obeys_wildcard::INTEGER + coalesce(more_some, 0), domains) AS pct_some_full,
        several AS domains_with_several_hosts,
        domains AS n,
        'answered' AS population,
        'domain' AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), interval_note(of_all, 0)) AS note
    FROM (
        SELECT
            *,
            all_full * obeys_wildcard::INTEGER + coalesce(more_all, 0) AS all_hosts_full,
            share_interval(all_hosts_full, all_hosts_full, all_hosts_full, domains, domains, 0) AS of_all
        FROM asked
        CROSS JOIN total
        LEFT JOIN differing USING (product_token)
    )
    WHERE domains > 0
    ORDER BY pct_all_full DESC, product_token;
