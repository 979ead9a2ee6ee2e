-- Who blocks a crawler: which top-level domains, large or small domains, and whose lines?
-- Keywords: who blocks GPTBot, owners, countries, platforms, Cloudflare, hosters.
-- Reproduces: blocking by TLD, and with and without a platform's template (thunderbit's AI crawler study).
-- Denominator: hosts of the group that gave a usable answer (n); pct_of_blocking: of the hosts that block the crawler,
--   unweighted. kind: all; tld (the 12 largest with at least min_hosts hosts); size (the number of the domain's hosts
--   that answered); lines, over all hosts: own (blocked even without platforms' lines) and default (only through
--   platforms' lines).
-- Parameters: agents: by default GPTBot alone.
CREATE OR REPLACE MACRO blocked_by_whom(
    agents := ['gptbot'], crawl := NULL, min_hosts := 50, "by" := 'host', weights := NULL
) AS TABLE
    WITH answered AS MATERIALIZED (
        SELECT
            stratum, cluster, domain_number, domain, weight, hosts.crawl, population, unit,
            url_host_tld, has_rules, file_id, policy_id,
            -- A host has no domain_number if the crawl has no other host of its domain.
            if(domain_number IS NULL, 1, count(*) OVER (PARTITION BY hosts.crawl, domain_number)) AS domain_hosts
        FROM hosts_by('answered', crawl, "by", weights) AS hosts
    ),
    groups_of_hosts AS NOT MATERIALIZED (
        SELECT * REPLACE (
            unnest([
                {'kind': 'all', 'part': 'all'},
                {'kind': 'tld', 'part': url_host_tld},
                {'kind': 'size', 'part': if(domain_hosts = 1, '1', if(domain_hosts < 10, '2 to 9', '10 or more'))}
            ]) AS stratum
        )
        FROM answered
    ),
    of_groups AS MATERIALIZED (
        FROM agent_shares(known_tokens(agents), 'groups_of_hosts')
        WHERE stratum.kind <> 'tld' OR (stratum.part IS NOT NULL AND n >= min_hosts)
        QUALIFY stratum.kind <> 'tld'
            OR dense_rank() OVER (PARTITION BY stratum.kind ORDER BY n DESC, stratum.part) <= 12
    ),
    everybody AS (
        SELECT product_token, product_token AS part, hosts_full AS hosts_blocking, n_domains
        FROM of_groups
        WHERE stratum.kind = 'all'
    ),
    -- Whose lines block: the owner's, or a platform's.
    choices AS MATERIALIZED (
        SELECT
            * RENAME (product_token AS part), own_blocks AS own, NOT own_blocks AS "default",
            own_blocks_by_name AS own_by_name, blocks_by_name AND NOT own_blocks_by_name AS default_by_name
        FROM choices_of(known_tokens(agents), 'answered')
        WHERE blocks
    ),
    parts AS (
        SELECT
            product_token, stratum.kind AS kind, stratum.part AS part, n, n_domains,
            hosts_full, pct_full, pct_full_low AS pct_low, pct_full_high AS pct_high, pct_full_by_name, note
        FROM of_groups
        UNION ALL
        SELECT
            part, 'lines', lines, n, n_domains,
            found[lines].hosts, found[lines].share, found[lines].low, found[lines].high, found[lines || '_by_name'].share,
            joined_notes([announcement_of(part, known_crawl(crawl)), found[lines].note])
        FROM shares_of_answers('choices', 'answered', ['own', 'default', 'own_by_name', 'default_by_name'], 'everybody')
        JOIN everybody USING (part)
        CROSS JOIN (SELECT unnest(['own', 'default']) AS lines)
    )
    SELECT
        parts.* EXCLUDE (note),
        pct(hosts_full, hosts_blocking) AS pct_of_blocking,
        'answered' AS population, "by" AS unit, known_crawl(crawl) AS crawl, note
    FROM parts JOIN everybody USING (product_token)
    ORDER BY product_token, list_position(['all', 'tld', 'lines', 'size'], kind), n DESC, parts.part;
