-- Who blocks a crawler: under which top-level domains, owners or platforms, with how many hosts?
-- Keywords: who blocks GPTBot, owners, countries, platforms, Cloudflare, hosters.
-- Reproduces: blocking by TLD and with and without a platform's template of thunderbit's AI crawler study; by stratum
--   of rank of Common Crawl's robots.txt experiments.
-- Denominator: hosts of the group that answered conclusively (n); pct_of_blocking: hosts that block the crawler.
--   kind: tld (the 12 largest), size (hosts of the domain) or lines. The parts of lines are of all hosts that
--   answered: own (they block it without the lines of platforms too) and default (by platforms' lines alone).
CREATE OR REPLACE MACRO blocked_by_whom(
    agents := ['gptbot'], crawl := NULL, min_hosts := 50, "by" := 'host', weights := NULL
) AS TABLE
    WITH answered AS MATERIALIZED (
        SELECT
            stratum, cluster, domain_number, domain, weight, hosts.crawl, population, unit,
            url_host_tld, has_rules, file_id, policy_id,
            if(domain_number IS NULL, 1, count(*) OVER (PARTITION BY hosts.crawl, domain_number)) AS domain_hosts
        FROM hosts_by('answered', crawl, "by", weights) AS hosts
    ),
    groups_of_hosts AS NOT MATERIALIZED (
        SELECT * REPLACE (
            unnest([
                {'kind': 'all', 'part': 'all'},
                {'kind': 'tld', 'part': url_host_tld},
                {'kind': 'size', 'part': CASE WHEN domain_hosts = 1 THEN '1' WHEN domain_hosts < 10 THEN '2 to 9' ELSE '10 or more' END}
            ]) AS stratum
        )
        FROM answered
    ),
    of_groups AS MATERIALIZED (
        FROM agent_shares(known_tokens(agents), 'groups_of_hosts')
        WHERE stratum.kind <> 'tld' OR (stratum.part IS NOT NULL AND n >= min_hosts)
        QUALIFY stratum.kind <> 'tld' OR dense_rank() OVER (PARTITION BY stratum.kind ORDER BY n DESC, stratum.part) <= 12
    ),
    everybody AS (SELECT product_token, hosts_full AS hosts_blocking, n_domains FROM of_groups WHERE stratum.kind = 'all'),
    -- Whose lines block: those of the owner, or those that a platform writes.
    choices AS MATERIALIZED (
        SELECT *, {'token': product_token, 'lines': if(own_blocks, 'own', 'default')} AS part
        FROM choices_of(known_tokens(agents), 'answered')
        WHERE blocks
    ),
    choices_by_name AS (
        SELECT * REPLACE ({'token': product_token, 'lines': if(own_blocks_by_name, 'own', 'default')} AS part)
        FROM choices
        WHERE blocks_by_name
    ),
    lines AS (SELECT {'token': product_token, 'lines': unnest(['default', 'own'])} AS part FROM everybody),
    parts AS (
        SELECT
            product_token, stratum.kind AS kind, stratum.part AS part,
            n, n_domains, hosts_full, pct_full, pct_full_low AS pct_low, pct_full_high AS pct_high, pct_full_by_name, note
        FROM of_groups
        UNION ALL
        SELECT
            product_token, 'lines', part.lines,
            blocked.n, n_domains, blocked.hosts, blocked.share, blocked.pct_low, blocked.pct_high, by_name.share,
            joined_notes([announcement_of(product_token, blocked.crawl), blocked.note])
        FROM shares('choices', 'answered', 'lines') AS blocked
        JOIN shares('choices_by_name', 'answered', 'lines') AS by_name USING (part)
        JOIN everybody ON product_token = part.token
    )
    SELECT
        parts.* EXCLUDE (note),
        pct(hosts_full, hosts_blocking) AS pct_of_blocking,
        'answered' AS population, "by" AS unit, known_crawl(crawl) AS crawl, note
    FROM parts
    JOIN everybody USING (product_token)
    ORDER BY product_token, list_position(['all', 'tld', 'lines', 'size'], kind), n DESC, part;
