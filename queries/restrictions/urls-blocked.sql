-- How many URLs of a list would each crawler be kept from?
--
-- Topic: Who may crawl.
-- Keywords: list of URLs, archive, coverage, own URLs, lost pages, test paths.
-- Reproduces: archived URLs that robots.txt would have kept an archive from, of the British
--   Library's and the National Archives' study of robots.txt in WARCs (2017).
-- Denominator: URLs of the list whose host answered conclusively in the crawl (with a file, or
--   without one; n), each once. Judged by RFC 9309 (longest match, allow wins ties); escapes are
--   normalised in URLs as in rules. urls_not_matched: URLs of the list with any other host. Without
--   a list, the URLs of sitemaps that hosts announce on themselves.
-- Unit: URLs of the list; what they weigh is in the list.
-- Intervals: none; every URL of the list is judged.
-- Parameters: crawl, urls (path of a text file, one URL a line), agents (['*', 'googlebot',
--   'gptbot', 'ccbot', 'ia_archiver']).
CREATE OR REPLACE MACRO urls_blocked(
    agents := ['*', 'googlebot', 'gptbot', 'ccbot', 'ia_archiver'],
    crawl VARCHAR := NULL,
    urls VARCHAR := NULL
) AS TABLE
    WITH listed AS (
        SELECT DISTINCT url
        FROM query(CASE
            WHEN urls IS NULL THEN 'SELECT sitemap_url AS url FROM sitemaps WHERE is_absolute'
            ELSE 'SELECT unnest(string_split_regex(content, ''\r?\n'')) AS url FROM (
                -- read_text does not fail without a file.
                SELECT CASE WHEN count(*) = 0 THEN error(format(''there is no file {}, {} found'', ' || sql_text(urls)
                || ', count(*))) ELSE string_agg(content, chr(10)) END AS content FROM read_text(' || sql_text(urls) || ')
            )'
        END)
        WHERE url <> ''
    ),
    named AS (
        SELECT
            url,
            encoded_name(
                lower(regexp_extract(url, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)', 1)), labels
            ) AS url_host_name
        FROM listed CROSS JOIN encoded_labels
    ),
    asked AS MATERIALIZED (
        SELECT named.url, path_of_url(named.url) AS path, policy_id
        FROM named
        JOIN hosts_in('answered', crawl) AS hosts USING (url_host_name)
    ),
    closed AS (
        SELECT product_token, count(*) AS urls_blocked
        FROM closed_urls(known_tokens(agents), 'asked')
        GROUP BY product_token
    ),
    total AS (SELECT count(DISTINCT url) AS n FROM asked)
    SELECT
        product_token,
        coalesce(closed.urls_blocked, 0) AS urls_blocked,
        pct(coalesce(closed.urls_blocked, 0), n) AS pct_blocked,
        (SELECT count(*) FROM listed) - n AS urls_not_matched,
        n,
        'listed' AS population,
        'url' AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM (SELECT unnest(known_tokens(agents)) AS product_token)
    CROSS JOIN total
    LEFT JOIN closed USING (product_token)
    ORDER BY urls_blocked DESC, product_token;
