-- How many URLs of a list does robots.txt keep each crawler from?
-- Keywords: list of URLs, archive, coverage, own URLs, lost pages, test paths.
-- Reproduces: archived URLs that robots.txt would have closed (British Library and National Archives, 2017).
-- Denominator: URLs of the list whose host gave a usable answer (n), each counted once and judged under RFC 9309.
--   urls_not_matched: all other URLs.
-- Unit: URLs of the list. Intervals: none; every URL of the list is judged.
-- Parameters: urls: the path of a text file, one URL per line; by default the URLs of sitemaps that the crawl's files name.
CREATE OR REPLACE MACRO urls_blocked(
    agents := ['*', 'googlebot', 'gptbot', 'ccbot', 'ia_archiver'], crawl := NULL, urls := NULL
) AS TABLE
    WITH listed AS (
        SELECT DISTINCT url
        FROM query('FROM ' || coalesce(
            'urls_of(' || sql_text(urls) || ')', 'announced_urls(' || sql_text(crawl) || ')', 'announced_urls(NULL)'
        ))
        WHERE url <> ''
    ),
    -- Materialised: otherwise DuckDB extracts the name from each URL again for each host.
    named AS MATERIALIZED (
        SELECT url, encoded_name(host_of_url(url), labels) AS url_host_name
        FROM listed CROSS JOIN encoded_labels
    ),
    asked AS MATERIALIZED (
        SELECT named.url, path_of_url(named.url) AS path, policy_id
        FROM named JOIN hosts_in('answered', crawl) USING (url_host_name)
    ),
    blocked AS (
        SELECT product_token, count(*) AS urls_blocked
        FROM closed_urls(known_tokens(agents), 'asked')
        GROUP BY product_token
    )
    SELECT
        product_token, coalesce(urls_blocked, 0) AS urls_blocked, pct(coalesce(urls_blocked, 0), n) AS pct_blocked,
        (SELECT count(*) FROM listed) - n AS urls_not_matched,
        n, 'listed' AS population, 'url' AS unit, known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM (SELECT unnest(known_tokens(agents)) AS product_token)
    CROSS JOIN (SELECT count(DISTINCT url) AS n FROM asked)
    LEFT JOIN blocked USING (product_token)
    ORDER BY urls_blocked DESC, product_token;
