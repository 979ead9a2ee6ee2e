-- In which top-level domains are crawlers blocked most?
--
-- Topic: Who may crawl.
-- Keywords: countries, country, ccTLD, top-level domain, region.
-- Reproduces: blocking by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the TLD, each once per crawl, of the population: those that answered
--   conclusively, with a file, or without one. TLDs with fewer hosts than min_hosts are left out.
-- Parameters: agents (['gptbot', 'ccbot', 'claudebot']), crawl, population (answered; with_file,
--   with_rules), by, weights, min_hosts (5), top (40; TLDs).
CREATE OR REPLACE MACRO agent_restrictions_by_tld(
    agents := ['gptbot', 'ccbot', 'claudebot'],
    crawl VARCHAR := NULL,
    population VARCHAR := 'answered',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    min_hosts INTEGER := 5,
    top INTEGER := 40
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT * REPLACE (url_host_tld AS stratum)
        FROM hosts_by(population, crawl, "by", weights)
        WHERE is_settled AND url_host_tld IS NOT NULL
    ),
    largest AS (
        SELECT stratum FROM population GROUP BY stratum HAVING count(*) >= min_hosts ORDER BY count(*) DESC, stratum LIMIT top
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
        note
    FROM agent_shares(known_tokens(agents), 'population') AS shares
    WHERE stratum IN (FROM largest)
    ORDER BY n DESC, tld, product_token;
