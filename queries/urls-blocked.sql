-- How many URLs of a list would each crawler be kept from?
--
-- Topic: Who may crawl.
-- Reproduces: archived URLs that robots.txt would have kept an archive from, of the British Library's and
--   the National Archives' study of robots.txt in WARCs (2017).
-- Denominator: URLs of the list whose host answered conclusively in the crawl (with a file, or without
--   one; n), each once. Judged by RFC 9309 (longest match, allow wins ties); escapes are normalised
--   in URLs as in rules. urls_not_matched: URLs of the list with any other host. Without a list, the URLs
--   of sitemaps that hosts announce on themselves.
-- Unit: URLs of the list; what they weigh is in the list.
-- Intervals: none; every URL of the list is judged.
-- Parameters: crawl (the last one in time), urls (path of a text file, one URL a line), agents
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
    hosts_listed AS MATERIALIZED (
        SELECT
            url,
            encoded_name(
                lower(regexp_extract(url, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)', 1)), labels
            ) AS url_host_name
        FROM listed CROSS JOIN encoded_labels
    ),
    asked AS MATERIALIZED (
        SELECT
            hosts_listed.url,
            path_of_url(hosts_listed.url) AS path,
            hosts.policy_id
        FROM hosts_listed
        JOIN hosts_in('answered', crawl) AS hosts USING (url_host_name)
    ),
    policies_asked AS MATERIALIZED (
        SELECT DISTINCT policy_id FROM asked WHERE policy_id IS NOT NULL
    ),
    named AS MATERIALIZED (
        SELECT policy_id, product_token, matched_token, restriction
        FROM named_agents_of((SELECT list(product_token) FROM chosen))
        SEMI JOIN policies_asked USING (policy_id)
    ),
    answers AS MATERIALIZED (
        SELECT policy_id, product_token, matched_token FROM named WHERE restriction <> 'none'
        UNION ALL
        SELECT policy_id, asked_agents.product_token, '*'
        FROM agents AS everybody
        SEMI JOIN policies_asked USING (policy_id)
        CROSS JOIN asked_agents((SELECT list(product_token) FROM chosen)) AS asked_agents
        ANTI JOIN named
            ON named.policy_id = everybody.policy_id AND named.product_token = asked_agents.product_token
        WHERE everybody.product_token = '*' AND obeys_wildcard AND restriction <> 'none'
    ),
    matched AS (
        SELECT DISTINCT policy_id, matched_token FROM answers
    ),
    agent_rules AS (
        SELECT
            policy_id,
            matched_token,
            precedence_of(rule_type, path_length) AS precedence,
            normal_pattern(path) AS pattern,
            pattern_key(normal_pattern(path)) AS key
        FROM (
            SELECT policy_id, group_index, unnest(product_tokens) AS matched_token
            FROM groups SEMI JOIN policies_asked USING (policy_id)
        )
        SEMI JOIN matched USING (policy_id, matched_token)
        JOIN rules USING (policy_id, group_index)
        WHERE NOT is_empty
    ),
    -- A path is judged once for all URLs of a policy that have it.
    paths_asked AS MATERIALIZED (
        SELECT DISTINCT policy_id, path FROM asked WHERE path <> '/robots.txt'
    ),
    compared AS (
        SELECT policy_id, path, matched_token, precedence, pattern, like_of(pattern) AS like_pattern
        FROM keyed_paths('FROM paths_asked')
        JOIN agent_rules USING (policy_id, key)
    ),
    closed_to AS (
        SELECT policy_id, path, matched_token
        FROM compared
        WHERE pattern_matches(path, pattern, like_pattern)
        GROUP BY ALL
        HAVING is_disallow(max(precedence))
    ),
    closed AS (
        SELECT DISTINCT url, product_token
        FROM closed_to
        JOIN answers USING (policy_id, matched_token)
        JOIN asked USING (policy_id, path)
    )
    SELECT
        product_token,
        count(closed.url) AS urls_blocked,
        pct(count(closed.url), (SELECT count(DISTINCT url) FROM asked)) AS pct_blocked,
        (SELECT count(*) FROM listed) - (SELECT count(DISTINCT url) FROM asked) AS urls_not_matched,
        (SELECT count(DISTINCT url) FROM asked) AS n,
        'listed' AS population,
        'url' AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM chosen AS named
    LEFT JOIN closed USING (product_token)
    GROUP BY product_token
    ORDER BY urls_blocked DESC, product_token;
