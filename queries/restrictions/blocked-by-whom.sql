-- Who blocks a crawler: under which top-level domains, owners or platforms, with how many hosts?
--
-- Topic: Who may crawl.
-- Keywords: who blocks GPTBot, owners, countries, platforms, Cloudflare, hosters.
-- Reproduces: blocking by TLD and with and without a platform's template of thunderbit's AI crawler
--   study; by stratum of rank of Common Crawl's robots.txt experiments.
-- Denominator: hosts of the group, each once per crawl, that answered conclusively (n). full: no
--   path is allowed to the crawler, by a group of its own, by its fallback's or that for `*`.
--   pct_of_blocking: of all hosts that block it, those of the group. kind: tld (those with at least
--   min_hosts hosts, the 12 largest), hosts of the domain (1, 2 to 9, 10 or more), lines. The parts
--   of lines are of all hosts that answered: own (they block the crawler without the lines of
--   platforms too) and default (they block it by platforms' lines alone).
-- Parameters: agents (['gptbot']), crawl, min_hosts (50), by, weights.
CREATE OR REPLACE MACRO blocked_by_whom(
    agents := ['gptbot'],
    crawl VARCHAR := NULL,
    min_hosts INTEGER := 50,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH answered AS MATERIALIZED (FROM host_files_by('answered', crawl, "by", weights)),
    tlds AS (
        SELECT url_host_tld
        FROM (SELECT url_host_tld, count(*) AS hosts FROM answered GROUP BY url_host_tld)
        WHERE hosts >= min_hosts AND url_host_tld IS NOT NULL
        ORDER BY hosts DESC, url_host_tld LIMIT 12
    ),
    sizes AS (
        SELECT domain_number, if(count(*) = 1, '1', if(count(*) < 10, '2 to 9', '10 or more')) AS size
        FROM answered
        GROUP BY domain_number
    ),
    population AS MATERIALIZED (
        SELECT answered.* REPLACE (unnest([
            {'kind': 'all', 'part': 'all'},
            {'kind': 'tld', 'part': tlds.url_host_tld},
            {'kind': 'size', 'part': coalesce(size, '1')}
        ]) AS stratum)
        FROM answered
        LEFT JOIN tlds ON tlds.url_host_tld = answered.url_host_tld
        LEFT JOIN sizes ON sizes.domain_number = answered.domain_number
    ),
    blocked AS MATERIALIZED (FROM agent_shares(known_tokens(agents), 'population') WHERE stratum.part IS NOT NULL),
    everybody AS (
        SELECT product_token, n_domains, hosts_full AS hosts_blocking FROM blocked WHERE stratum.kind = 'all'
    ),
    -- Whose lines block: those of the owner, or those that a platform writes.
    choices AS MATERIALIZED (
        SELECT *, {'token': product_token, 'made_by': if(own_blocks, 'own', 'default')} AS part
        FROM choices_of(known_tokens(agents), 'answered')
        WHERE blocks
    ),
    choices_by_name AS (
        SELECT * REPLACE ({'token': product_token, 'made_by': if(own_blocks_by_name, 'own', 'default')} AS part)
        FROM choices WHERE blocks_by_name
    ),
    lines AS (
        SELECT {'token': product_token, 'made_by': unnest(['default', 'own'])} AS part FROM everybody
    ),
    parts AS (
        SELECT
            product_token,
            stratum.kind AS kind,
            stratum.part AS part,
            n,
            n_domains,
            hosts_full,
            pct_full,
            pct_full_low AS pct_low,
            pct_full_high AS pct_high,
            pct_full_by_name,
            note
        FROM blocked
        UNION ALL
        SELECT
            part.token,
            'lines',
            part.made_by,
            whole.n,
            n_domains,
            whole.hosts,
            whole.share,
            whole.low,
            whole.high,
            by_name.share,
            joined_notes([announcement_of(part.token, whole.crawl), whole.note])
        FROM shares('choices', 'answered', 'lines') AS whole
        JOIN shares('choices_by_name', 'answered', 'lines') AS by_name USING (part)
        JOIN everybody ON product_token = part.token
    )
    SELECT
        parts.* EXCLUDE (note),
        pct(hosts_full, hosts_blocking) AS pct_of_blocking,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM parts
    JOIN everybody USING (product_token)
    ORDER BY product_token, list_position(['all', 'tld', 'lines', 'size'], kind), n DESC, part;
