-- Which crawlers are named and blocked by name, by host and by registrable domain?
--
-- Topic: Who may crawl.
-- Reproduces: rankings of crawlers by full disallow of Cloudflare Radar and of Liu et al., IMC 2025
--   (figure 3), for crawlers of every kind, with what weighing by domain makes of them.
-- Denominator: hosts, each once per crawl, that answered conclusively (n), and their registrable domains
--   (n_domains), each of which weighs the same in the shares of domains. named: the host has a group for
--   the crawler, in a file with rules; full_by_name: that group allows no path. Intervals are those of
--   95%, with registrable domains as clusters. pct_of_top_domain: of the blocking hosts, those of the
--   domain with most of them.
-- Unit: hosts and domains in one row; by weights: ai-agents-most-blocked with agents.
-- Parameters: agents (all of the catalogue that a host names), crawl (the last one in time), top (200).
CREATE OR REPLACE MACRO agents_at_a_glance(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    top INTEGER := 200
) AS TABLE
    WITH weighed AS MATERIALIZED (
        -- A policy without rules is as none: no crawler is named in it, nor blocked.
        SELECT domain_number, cluster, if(has_rules, policy_id, NULL) AS policy_id, count(*) AS hosts
        FROM hosts_by('answered', crawl, 'host', NULL)
        GROUP BY ALL
    ),
    clusters AS MATERIALIZED (
        SELECT cluster, sum(hosts)::BIGINT AS hosts FROM weighed GROUP BY cluster
    ),
    domains AS MATERIALIZED (
        SELECT domain_number, sum(hosts)::BIGINT AS hosts FROM weighed GROUP BY domain_number
    ),
    total AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            (SELECT sum(cluster_count(domain_number, hosts))::BIGINT FROM domains) AS n_domains,
            min(drawn_part(cluster)) AS drawn,
            sum(cluster_product(cluster, hosts, hosts, hosts))::DOUBLE AS ww
        FROM clusters
    ),
    own AS (
        SELECT
            policy_id,
            product_token,
            (restriction = 'full')::INTEGER AS blocks,
            (restriction = 'partial')::INTEGER AS restricts
        FROM agents
        WHERE if(
            agents IS NULL,
            token_as_read(product_token) IN (SELECT product_token FROM agent_catalog),
            list_contains(known_tokens(agents), product_token)
        )
    ),
    counted AS MATERIALIZED (
        SELECT
            product_token,
            domain_number,
            cluster,
            sum(hosts)::DOUBLE AS named,
            sum(hosts * blocks)::DOUBLE AS blocked,
            sum(hosts * restricts)::DOUBLE AS partly
        FROM weighed
        JOIN own USING (policy_id)
        GROUP BY ALL
    ),
    -- A host that is a cluster, or a domain, by itself counts as it is, 0 or 1, squared or not.
    of_clusters AS (
        SELECT
            product_token,
            sum(named) AS named,
            sum(cluster_product(counted.cluster, named, named, named)) AS named_yy,
            sum(cluster_product(counted.cluster, named, named, hosts)) AS named_yw,
            sum(blocked) AS blocked,
            sum(cluster_product(counted.cluster, blocked, blocked, blocked)) AS blocked_yy,
            sum(cluster_product(counted.cluster, blocked, blocked, hosts)) AS blocked_yw,
            sum(partly) AS partly
        FROM (
            SELECT product_token, cluster, sum(named) AS named, sum(blocked) AS blocked, sum(partly) AS partly
            FROM counted
            GROUP BY ALL
        ) AS counted
        JOIN clusters ON clusters.cluster IS NOT DISTINCT FROM counted.cluster
        GROUP BY product_token
    ),
    -- Every domain weighs 1: its hosts have an equal part.
    of_domains AS (
        SELECT
            product_token,
            sum(if(counted.domain_number IS NULL, blocked, blocked / hosts)) AS blocking_domains,
            sum(if(counted.domain_number IS NULL, blocked, (blocked / hosts) ^ 2)) AS blocking_domains_yy,
            greatest(
                max(blocked) FILTER (counted.domain_number IS NOT NULL),
                max(least(blocked, 1)) FILTER (counted.domain_number IS NULL)
            ) AS of_top_domain,
            sum(if(counted.domain_number IS NULL, blocked, (blocked > 0)::INTEGER))::BIGINT AS domains_full_by_name
        FROM (
            SELECT product_token, domain_number, sum(blocked) AS blocked FROM counted GROUP BY ALL
        ) AS counted
        JOIN domains ON domains.domain_number IS NOT DISTINCT FROM counted.domain_number
        GROUP BY product_token
    )
    SELECT
        product_token,
        name,
        operator,
        category,
        is_ai,
        is_ai_basis,
        named::BIGINT AS hosts_named,
        pct(named, n) AS pct_named,
        pct_limit(of_named.low) AS pct_named_low,
        pct_limit(of_named.high) AS pct_named_high,
        blocked::BIGINT AS hosts_full_by_name,
        pct(blocked, n) AS pct_full_by_name,
        pct_limit(of_blocked.low) AS pct_low,
        pct_limit(of_blocked.high) AS pct_high,
        partly::BIGINT AS hosts_partial_by_name,
        domains_full_by_name,
        pct(blocking_domains, n_domains) AS pct_of_domains,
        pct_limit(of_each_domain.low) AS pct_of_domains_low,
        pct_limit(of_each_domain.high) AS pct_of_domains_high,
        pct(of_top_domain, blocked) AS pct_of_top_domain,
        n,
        n_domains,
        'answered' AS population,
        'host' AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), interval_note(of_blocked, drawn)) AS note
    FROM (
        SELECT
            *,
            share_interval(named, named_yy, named_yw, n, ww, drawn) AS of_named,
            share_interval(blocked, blocked_yy, blocked_yw, n, ww, drawn) AS of_blocked,
            share_interval(blocking_domains, blocking_domains_yy, blocking_domains, n_domains, n_domains, 0)
                AS of_each_domain
        FROM of_clusters
        JOIN of_domains USING (product_token)
        CROSS JOIN total
    )
    LEFT JOIN agent_kinds USING (product_token)
    ORDER BY blocked DESC, named DESC, product_token
    LIMIT top;
