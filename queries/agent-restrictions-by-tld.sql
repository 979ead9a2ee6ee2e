-- In which top-level domains are crawlers shut out most?
--
-- Topic: Who may crawl.
-- Reproduces: blocking by TLD of thunderbit's AI crawler study.
-- Denominator: hosts of the TLD, each once per crawl, that settled the question: with a file, or
--   without one (404 and the like). TLDs with few hosts are left out.
-- Parameters: crawl (the last one, by label), agents (['gptbot', 'ccbot', 'claudebot']), min_hosts (5),
--   top (30; TLDs with most hosts).
CREATE OR REPLACE MACRO agent_restrictions_by_tld(
    agents VARCHAR[] := ['gptbot', 'ccbot', 'claudebot'],
    crawl VARCHAR := NULL,
    min_hosts INTEGER := 5,
    top INTEGER := 30
) AS TABLE
    WITH chosen AS (
        SELECT unnest(known_tokens(agents)) AS product_token
    ),
    answers AS (
        SELECT url_host_tld AS tld, product_token, count(*) AS hosts,
            count(*) FILTER (source = 'own') AS named,
            count(*) FILTER (restriction = 'full') AS full_hosts,
            count(*) FILTER (restriction = 'full' AND source = 'own') AS full_by_name,
            count(*) FILTER (restriction = 'partial') AS partial_hosts
        FROM agent_answers_in((SELECT list(product_token) FROM chosen), crawl)
        WHERE url_host_tld IS NOT NULL
        GROUP BY url_host_tld, product_token
        HAVING count(*) >= min_hosts
        QUALIFY dense_rank() OVER (ORDER BY count(*) DESC, url_host_tld) <= top
    )
    SELECT
        tld,
        product_token,
        hosts,
        pct(named, hosts) AS pct_named,
        pct(full_hosts, hosts) AS pct_full,
        pct(full_by_name, hosts) AS pct_full_by_name,
        pct(partial_hosts, hosts) AS pct_partial
    FROM answers
    ORDER BY hosts DESC, tld, product_token;
