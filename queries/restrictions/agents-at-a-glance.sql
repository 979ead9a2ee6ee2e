-- Which crawlers are named and blocked by name, by host and by registrable domain?
--
-- Topic: Who may crawl.
-- Keywords: overview, summary, blocked, named, GPTBot, ranking, who is blocked most.
-- Reproduces: rankings of crawlers by full disallow of Cloudflare Radar and of Liu et al., IMC 2025
--   (figure 3), for crawlers of every kind, with what weighing by domain makes of them.
-- Denominator: hosts, each once per crawl, that answered conclusively (n), and their registrable
--   domains (n_domains), each of which weighs the same in the shares of domains. named: the host
--   has a group for the crawler, in a file with rules; full_by_name: that group allows no path.
--   pct_of_top_domain: of the blocking hosts, those of the domain with most of them.
-- Unit: hosts and domains in one row; by weights: ai-agents-most-blocked with agents.
-- Parameters: agents (all of the catalogue that a host names), crawl, top (200).
CREATE OR REPLACE MACRO agents_at_a_glance(
    agents := NULL,
    crawl VARCHAR := NULL,
    top INTEGER := 200
) AS TABLE
    WITH population AS MATERIALIZED (
        -- A policy without rules is as none: no crawler is named in it, nor blocked.
        SELECT * REPLACE (if(has_rules, policy_id, NULL) AS policy_id)
        FROM hosts_by('answered', crawl, 'host', NULL)
    ),
    population_by_domain AS MATERIALIZED (
        SELECT * REPLACE (if(has_rules, policy_id, NULL) AS policy_id, domain_number AS cluster)
        FROM hosts_by('answered', crawl, 'domain', NULL)
    ),
    named AS MATERIALIZED (
        SELECT policy_id, product_token AS part, restriction
        FROM agents
        WHERE if(
            agents IS NULL,
            product_token IN (SELECT product_token FROM agent_catalog),
            list_contains(known_tokens(agents), product_token)
        )
    ),
    naming AS MATERIALIZED (SELECT population.*, part, restriction FROM population JOIN named USING (policy_id)),
    named_parts AS (SELECT DISTINCT part FROM naming),
    blocking AS MATERIALIZED (FROM naming WHERE restriction = 'full'),
    blocking_by_domain AS (
        SELECT population_by_domain.*, part
        FROM population_by_domain
        JOIN named USING (policy_id)
        WHERE restriction = 'full'
    ),
    partial AS (SELECT part, count(*) AS hosts FROM naming WHERE restriction = 'partial' GROUP BY part),
    totals AS (
        SELECT (count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL))::BIGINT AS n_domains
        FROM population
    )
    SELECT
        part AS product_token,
        name,
        operator,
        category,
        is_ai,
        is_ai_basis,
        of_naming.hosts AS hosts_named,
        of_naming.share AS pct_named,
        of_naming.low AS pct_named_low,
        of_naming.high AS pct_named_high,
        of_blocking.hosts AS hosts_full_by_name,
        of_blocking.share AS pct_full_by_name,
        of_blocking.low AS pct_low,
        of_blocking.high AS pct_high,
        coalesce(partial.hosts, 0) AS hosts_partial_by_name,
        coalesce(domains, 0) AS domains_full_by_name,
        of_domains.share AS pct_of_domains,
        of_domains.low AS pct_of_domains_low,
        of_domains.high AS pct_of_domains_high,
        greatest(share_of_top_domain, pct(least(1, of_blocking.hosts), of_blocking.hosts)) AS pct_of_top_domain,
        of_naming.n,
        totals.n_domains,
        'answered' AS population,
        'host' AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(part, known_crawl(crawl)), of_blocking.note]) AS note
    FROM shares('naming', 'population') AS of_naming
    JOIN shares('blocking', 'population', 'named_parts') AS of_blocking USING (part)
    JOIN shares('blocking_by_domain', 'population_by_domain', 'named_parts') AS of_domains USING (part)
    LEFT JOIN domain_counts('blocking', 'population') AS domain_counts USING (part)
    LEFT JOIN partial USING (part)
    LEFT JOIN agent_kinds ON product_token = part
    CROSS JOIN totals
    ORDER BY hosts_full_by_name DESC, hosts_named DESC, part
    LIMIT top;
