-- Which top-level domains are in the corpus, and how do their hosts answer?
--
-- Topic: Responses.
-- Reproduces: the corpus by TLD that Dinzinger's survey and thunderbit's study rest on.
-- Denominator: hosts of the TLD, each once per crawl; pct_of_hosts is the TLD's share of all hosts.
-- Parameters: crawl (the last one, by label), top (40).
CREATE OR REPLACE MACRO tlds(crawl VARCHAR := NULL, top INTEGER := 40) AS TABLE
    SELECT
        coalesce(url_host_tld, '(address)') AS tld,
        count(*) AS hosts,
        pct(count(*), sum(count(*)) OVER ()) AS pct_of_hosts,
        count(DISTINCT url_host_registered_domain) AS domains,
        pct(count(*) FILTER (has_rules), count(*)) AS pct_with_rules,
        pct(count(*) FILTER (response_class = 'allow_all'), count(*)) AS pct_allow_all,
        pct(count(*) FILTER (response_class IN ('forbidden', 'defer')), count(*)) AS pct_errors,
        median(content_length) FILTER (has_rules)::BIGINT AS median_bytes
    FROM of_crawl('host_files', crawl)
    GROUP BY url_host_tld
    ORDER BY hosts DESC, tld
    LIMIT top;
