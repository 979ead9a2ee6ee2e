-- Who blocks a crawler: under which top-level domains, owners or platforms, with how many hosts?
--
-- Topic: Who may crawl.
-- Reproduces: blocking by TLD and with and without a platform's template of thunderbit's AI crawler
--   study; by stratum of rank of Common Crawl's robots.txt experiments.
-- Denominator: hosts of the group, each once per crawl, that answered conclusively (n). full: no path is
--   allowed to the crawler, by a group of its own, by its fallback's or that for `*`. pct_of_blocking: of
--   all hosts that block it, those of the group. 95% intervals, with registrable domains as
--   clusters. kind: tld (those with at least min_hosts hosts, the 12 largest), hosts of the domain (1, 2 to
--   9, 10 or more), lines. The parts of lines are of all hosts that answered: own (they block the crawler
--   without the lines of platforms too) and default (they block it by platforms' lines alone).
-- Parameters: agents (['gptbot']), crawl (the last one in time), min_hosts (50), by (host; domain:
--   each registrable domain weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO blocked_by_whom(
    agents VARCHAR[] := ['gptbot'],
    crawl VARCHAR := NULL,
    min_hosts INTEGER := 50,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH shares AS MATERIALIZED (
        SELECT split_part(stratum, chr(9), 1) AS kind, split_part(stratum, chr(9), 2) AS part, *
        FROM agent_shares(
            known_tokens(agents),
            'SELECT unnest([
                ''all'' || chr(9) || ''all'',
                ''tld'' || chr(9) || coalesce(url_host_tld, ''''),
                ''size'' || chr(9) || CASE
                    WHEN coalesce(size, 1) = 1 THEN ''1''
                    WHEN size < 10 THEN ''2 to 9'' ELSE ''10 or more'' END
             ]) AS stratum, hosts.* FROM ' || hosts_sql('answered', crawl, "by", weights) || ' AS hosts
             LEFT JOIN (
                SELECT domain_number, count(*) AS size
                FROM hosts_in(''answered'', ' || sql_text(known_crawl(crawl)) || ')
                WHERE domain_number IS NOT NULL
                GROUP BY domain_number
             ) AS sizes ON sizes.domain_number = hosts.domain_number'
        )
    ),
    everybody AS (
        SELECT product_token, n, n_domains, hosts_full AS hosts_blocking FROM shares WHERE kind = 'all'
    ),
    tlds AS (
        SELECT part FROM shares WHERE kind = 'tld' AND part <> '' AND n >= min_hosts
        GROUP BY part ORDER BY max(n) DESC, part LIMIT 12
    ),
    -- Whose lines block, whatever they say, and by name.
    choices AS MATERIALIZED (
        SELECT
            product_token,
            cluster,
            hosts,
            weight,
            squares,
            by_name,
            if(if(by_name, own_blocks_by_name, own_blocks), 'own', 'default') AS made_by
        FROM choices_of(known_tokens(agents), 'FROM ' || host_files_sql('answered', crawl, "by", weights))
        CROSS JOIN (SELECT unnest([false, true]) AS by_name)
        WHERE if(by_name, blocks_by_name, blocks)
    ),
    shares_of_lines AS (
        SELECT unnest(part), share, low, high, note
        FROM shares_of(
            'SELECT NULL AS stratum, {''product_token'': product_token, ''made_by'': made_by, ''by_name'': by_name} AS part, * FROM choices',
            'SELECT NULL AS stratum, * FROM ' || hosts_sql('answered', crawl, "by", weights),
            'SELECT DISTINCT {''product_token'': product_token, ''made_by'': made, ''by_name'': by_name} AS part FROM choices,
            (SELECT unnest([''default'', ''own'']) AS made)'
        )
    ),
    parts AS (
        SELECT
            product_token,
            kind,
            part,
            n,
            n_domains,
            hosts_full,
            pct_full,
            pct_full_low,
            pct_full_high,
            pct_full_by_name,
            no_interval
        FROM shares
        WHERE kind <> 'tld' OR part IN (FROM tlds)
        UNION ALL
        SELECT
            product_token,
            'lines',
            made_by,
            n,
            n_domains,
            coalesce((
                SELECT sum(hosts) FROM choices
                WHERE choices.product_token = everybody.product_token AND choices.made_by = made.made_by AND NOT by_name
            ), 0)::BIGINT,
            coalesce(whole.share, 0),
            whole.low,
            whole.high,
            coalesce(named.share, 0),
            whole.note
        FROM everybody
        CROSS JOIN (SELECT unnest(['default', 'own']) AS made_by) AS made
        LEFT JOIN (FROM shares_of_lines WHERE NOT by_name) AS whole USING (product_token, made_by)
        LEFT JOIN (FROM shares_of_lines WHERE by_name) AS named USING (product_token, made_by)
    )
    SELECT
        product_token,
        kind,
        part,
        parts.n,
        parts.n_domains,
        hosts_full,
        pct_full,
        pct_full_low AS pct_low,
        pct_full_high AS pct_high,
        pct_full_by_name,
        pct(hosts_full, hosts_blocking) AS pct_of_blocking,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), no_interval) AS note
    FROM parts
    JOIN everybody USING (product_token)
    ORDER BY product_token, list_position(['all', 'tld', 'lines', 'size'], kind), parts.n DESC, part;
