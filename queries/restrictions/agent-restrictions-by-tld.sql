-- In which top-level domains are crawlers blocked most?
-- Keywords: countries, country, ccTLD, top-level domain, region.
-- Reproduces: blocking by TLD (thunderbit's AI crawler study).
-- Denominator: hosts of the top-level domain in the population that gave a usable answer (n).
-- Parameters: min_hosts: top-level domains with fewer hosts are left out; top: at most this many,
--   the largest first.
CREATE OR REPLACE MACRO agent_restrictions_by_tld(
    agents := ['gptbot', 'ccbot', 'claudebot'], crawl := NULL, population := 'answered', "by" := 'host',
    weights := NULL, min_hosts := 5, top := 40
) AS TABLE
    WITH population AS NOT MATERIALIZED (
        SELECT * REPLACE (url_host_tld AS stratum)
        FROM hosts_by(population, crawl, "by", weights)
        WHERE is_settled AND url_host_tld IS NOT NULL
    )
    SELECT
        stratum AS tld, product_token, pct_named, pct_full, pct_full_low AS pct_low, pct_full_high AS pct_high,
        pct_full_by_name, pct_partial, n, n_domains, shares.population, unit, shares.crawl, note
    FROM agent_shares(known_tokens(agents), 'population') AS shares
    WHERE n >= min_hosts
    QUALIFY dense_rank() OVER (ORDER BY n DESC, stratum) <= top
    ORDER BY n DESC, tld, product_token;
