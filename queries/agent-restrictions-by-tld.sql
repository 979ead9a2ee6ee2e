-- In which top-level domains are crawlers blocked most?
--
-- Topic: Who may crawl.
-- Reproduces: blocking by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the TLD, each once per crawl, of the population: those that answered
--   conclusively, with a file, or without one. 95% intervals, with registrable
--   domains as clusters. TLDs with fewer hosts than min_hosts are left out.
-- Parameters: agents (['gptbot', 'ccbot', 'claudebot']), crawl (the last one in time), population
--   (answered; with_file, with_rules), by (host; domain, weight), weights (path of a CSV or Parquet file
--   of domain and weight), min_hosts (5), top (40; TLDs).
CREATE OR REPLACE MACRO agent_restrictions_by_tld(
    agents VARCHAR[] := ['gptbot', 'ccbot', 'claudebot'],
    crawl VARCHAR := NULL,
    population VARCHAR := 'answered',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    min_hosts INTEGER := 5,
    top INTEGER := 40
) AS TABLE
    WITH shares AS (
        FROM agent_shares(
            known_tokens(agents),
            'SELECT url_host_tld AS stratum, * FROM ' || hosts_sql(population, crawl, "by", weights)
                || ' WHERE is_settled AND url_host_tld IS NOT NULL'
        )
        WHERE n >= min_hosts
    )
    SELECT
        stratum AS tld,
        product_token,
        pct_named,
        pct_full,
        pct_full_low AS pct_low,
        pct_full_high AS pct_high,
        pct_full_by_name,
        pct_partial,
        n,
        n_domains,
        population AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(
            announcement_of(product_token, known_crawl(crawl)),
            joined_notes(
                share_note(pct_full_of_hosts, pct_full_of_domains, top_domain, pct_of_top_domain),
                no_interval
            )
        ) AS note
    FROM shares
    WHERE stratum IN (SELECT stratum FROM (SELECT stratum, any_value(n) AS n FROM shares GROUP BY ALL ORDER BY n DESC, stratum LIMIT top))
    ORDER BY n DESC, tld, product_token;
