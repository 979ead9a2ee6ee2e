-- Who blocks a crawler: under which top-level domains, by a platform's block or an own file, with how many hosts?
--
-- Topic: Who may crawl.
-- Reproduces: blocking by TLD and with and without a platform's template of thunderbit's AI crawler
--   study; by stratum of rank of Common Crawl's robots.txt experiments.
-- Denominator: hosts of the group, each once per crawl, that answered conclusively (n). full: no path is
--   allowed to the crawler, by a group of its own, by its fallback's or that for `*`. pct_of_blocking: of
--   all hosts that block it, those of the group. Intervals are those of 95%, with registrable domains as
--   clusters. kind: tld (those with at least min_hosts hosts, the 12 largest), file (none; with the mark
--   of a platform's managed block; other), hosts of the domain (1, 2 to 9, 10 or more).
-- Parameters: agents (['gptbot']), crawl (the last one, by label), min_hosts (50), by (host; domain:
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
                ''file'' || chr(9) || CASE
                    WHEN policy_id IS NULL OR NOT has_lines THEN ''none''
                    WHEN platform IS NOT NULL THEN ''platform'' ELSE ''own'' END,
                ''size'' || chr(9) || CASE
                    WHEN coalesce(size, 1) = 1 THEN ''1''
                    WHEN size < 10 THEN ''2 to 9'' ELSE ''10 or more'' END
             ]) AS stratum, hosts.* FROM ' || host_files_sql('answered', crawl, "by", weights) || ' AS hosts
             LEFT JOIN (
                SELECT domain_number, count(*) AS size
                FROM hosts_in(''answered'', ' || sql_text(known_crawl(crawl)) || ')
                WHERE domain_number IS NOT NULL
                GROUP BY domain_number
             ) AS sizes ON sizes.domain_number = hosts.domain_number'
        )
    ),
    everybody AS (
        SELECT product_token, hosts_full AS hosts_blocking FROM shares WHERE kind = 'all'
    ),
    tlds AS (
        SELECT part FROM shares WHERE kind = 'tld' AND part <> '' AND n >= min_hosts
        GROUP BY part ORDER BY max(n) DESC, part LIMIT 12
    )
    SELECT
        product_token,
        kind,
        part,
        n,
        n_domains,
        hosts_full,
        pct_full,
        pct_full_low AS pct_low,
        pct_full_high AS pct_high,
        pct_full_by_name,
        pct(hosts_full, hosts_blocking) AS pct_of_blocking,
        'answered' AS population,
        "by" AS unit
    FROM shares
    JOIN everybody USING (product_token)
    WHERE kind <> 'tld' OR part IN (FROM tlds)
    ORDER BY product_token, list_position(['all', 'tld', 'file', 'size'], kind), n DESC, part;
