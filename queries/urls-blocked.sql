-- How many URLs of a list would each crawler be kept from?
--
-- Topic: Who may crawl.
-- Reproduces: archived URLs that robots.txt would have kept an archive from, of the British Library's and
--   the National Archives' study of robots.txt in WARCs (2017).
-- Denominator: URLs of the list whose host answered conclusively in the crawl (with a file, or without
--   one), each once. Judged by RFC 9309 (longest match, allow wins ties) on the URL as it stands,
--   without normalising it. Without a list, the URLs of sitemaps that hosts announce on themselves.
-- Parameters: crawl (the last one, by label), urls (path of a text file, one URL a line), agents
--   (['*', 'googlebot', 'gptbot', 'ccbot', 'ia_archiver']).
CREATE OR REPLACE MACRO urls_blocked(
    agents VARCHAR[] := ['*', 'googlebot', 'gptbot', 'ccbot', 'ia_archiver'],
    crawl VARCHAR := NULL,
    urls VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(known_tokens(agents)) AS product_token
    ),
    listed AS (
        SELECT DISTINCT url, lower(regexp_extract(url, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)', 1)) AS url_host_name,
            '/' || ltrim(regexp_replace(url, '^[^/?#]*//[^/?#]*|#.*$', '', 'g'), '/') AS path
        FROM query(CASE
            WHEN urls IS NULL THEN 'SELECT sitemap_url AS url FROM sitemaps WHERE is_absolute'
            ELSE 'SELECT unnest(string_split_regex(content, ''\r?\n'')) AS url FROM read_text(' || sql_text(urls) || ')'
        END)
        WHERE url <> ''
    ),
    asked AS (
        SELECT listed.url, listed.path, hosts.policy_id
        FROM listed
        JOIN of_crawl('hosts', crawl) AS hosts ON hosts.url_host_name = listed.url_host_name
        WHERE is_settling(final_status, file_id, policy_id)
    ),
    answers AS (
        SELECT policy_id, product_token, matched_token
        FROM effective_agents_of((SELECT list(product_token) FROM chosen))
        SEMI JOIN asked USING (policy_id)
    ),
    agent_rules AS (
        SELECT DISTINCT policy_id, product_token AS matched_token, rule_type, path AS pattern, path_length
        FROM (
            SELECT policy_id, group_index, unnest(product_tokens) AS product_token
            FROM groups SEMI JOIN asked USING (policy_id)
        )
        JOIN rules USING (policy_id, group_index)
        WHERE NOT is_empty
    ),
    closed AS (
        SELECT url, product_token
        FROM asked
        JOIN answers USING (policy_id)
        JOIN agent_rules USING (policy_id, matched_token)
        WHERE rule_matches(asked.path, pattern) AND asked.path <> '/robots.txt'
        GROUP BY ALL
        HAVING max(path_length) FILTER (rule_type = 'disallow') > coalesce(max(path_length) FILTER (rule_type = 'allow'), 0)
    )
    SELECT
        product_token,
        (SELECT count(DISTINCT url) FROM asked) AS urls,
        count(closed.url) AS urls_blocked,
        pct(count(closed.url), (SELECT count(DISTINCT url) FROM asked)) AS pct_blocked
    FROM chosen AS named
    LEFT JOIN closed USING (product_token)
    GROUP BY product_token
    ORDER BY urls_blocked DESC, product_token;
