-- Which crawlers are named and blocked by name, by host and by registrable domain?
-- Keywords: overview, summary, blocked, named, GPTBot, ranking, who is blocked most.
-- Reproduces: rankings by full disallow (Cloudflare Radar; Liu et al., IMC 2025, figure 3), for every kind of crawler.
-- Denominator: hosts that gave a usable answer (n), and their registrable domains (n_domains), which all weigh the
--   same in shares of domains. agents: by default, all crawlers of the catalogue that a file names. pct_of_top_domain:
--   of the blocking hosts, the share that belongs to the domain with the most.
-- Unit: hosts and domains in one row; for weights, see ai-agents-most-blocked with agents.
CREATE OR REPLACE MACRO agents_at_a_glance(agents := NULL, crawl := NULL, top := 200) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('answered', crawl, 'host', NULL)),
    population_by_domain AS MATERIALIZED (FROM hosts_by('answered', crawl, 'domain', NULL)),
    named AS MATERIALIZED (
        SELECT
            policy_id, product_token AS part, true AS is_named,
            restriction = 'full' AS is_blocked, restriction = 'partial' AS is_partly_blocked
        FROM agents
        WHERE product_token IN (SELECT unnest(chosen_agents(agents, 10000)))
    ),
    naming AS MATERIALIZED (FROM population JOIN named USING (policy_id) WHERE has_rules),
    blocking AS MATERIALIZED (FROM naming WHERE is_blocked),
    blocking_by_domain AS (FROM population_by_domain JOIN named USING (policy_id) WHERE has_rules AND is_blocked)
    SELECT
        part AS product_token, name, operator, category, is_ai, is_ai_basis,
        found['is_named'].hosts AS hosts_named, found['is_named'].share AS pct_named,
        found['is_named'].low AS pct_named_low, found['is_named'].high AS pct_named_high,
        found['is_blocked'].hosts AS hosts_full_by_name, found['is_blocked'].share AS pct_full_by_name,
        found['is_blocked'].low AS pct_low, found['is_blocked'].high AS pct_high,
        found['is_partly_blocked'].hosts AS hosts_partial_by_name,
        coalesce(domains, 0) AS domains_full_by_name, of_domains.share AS pct_of_domains,
        of_domains.pct_low AS pct_of_domains_low, of_domains.pct_high AS pct_of_domains_high,
        -- share_of_top_domain leaves out domains with one host: such a domain has one blocking host.
        greatest(share_of_top_domain, pct(1, found['is_blocked'].hosts)) AS pct_of_top_domain,
        shares.n, (SELECT domains_of(domain_number) FROM population) AS n_domains,
        shares.population, shares.unit, shares.crawl,
        joined_notes([announcement_of(part, shares.crawl), found['is_blocked'].note]) AS note
    FROM shares_of_answers('naming', 'population', ['is_named', 'is_blocked', 'is_partly_blocked']) AS shares
    JOIN shares('blocking_by_domain', 'population_by_domain', 'naming') AS of_domains USING (part)
    LEFT JOIN domain_counts('blocking', 'population') AS by_domain USING (part)
    LEFT JOIN agent_kinds ON product_token = part
    ORDER BY hosts_full_by_name DESC, hosts_named DESC, part
    LIMIT top;
