-- The rows of a view in one crawl: FROM of_crawl('hosts', '2026-01'). DuckDB then reads that crawl's parts only.
CREATE OR REPLACE MACRO of_crawl(view_name, label) AS TABLE
    FROM query('FROM ' || view_name || ' WHERE crawl = ' || sql_text(known_crawl(label)));

-- Of some captures, the crawls without any of the usual headers, such as crawls of folders, or of tables without columns
-- for headers; and the note on such a crawl.
CREATE OR REPLACE MACRO without_headers(captures_name) AS TABLE
    SELECT crawl, 'no headers were recorded: what they say is unknown' AS no_headers
    FROM query_table(captures_name)
    GROUP BY crawl
    HAVING count(coalesce(
        content_mime_type, http_server, http_cache_control, http_etag, http_last_modified,
        http_tdm_reservation, http_tdm_policy, http_content_usage, http_content_signal, http_link_license
    )) = 0;
CREATE OR REPLACE MACRO header_note(label) AS (
    WITH asked AS (FROM of_crawl('captures', label))
    SELECT no_headers FROM without_headers('asked')
);

-- The names in a parameter without a type: both 'gptbot,ccbot' and ['gptbot', 'ccbot'] are lists of names.
CREATE OR REPLACE MACRO names_of(names) AS
    CASE json_type(to_json(names))
        WHEN 'VARCHAR' THEN list_transform(string_split(to_json(names) ->> '$', ','), lambda name: trim(name))
        WHEN 'ARRAY' THEN to_json(names) ->> '$[*]'
    END;

-- The product tokens of a list of crawlers, in its order; null without a list. Case does not matter. A name that
-- occurs in no file and not in agent_catalog is an error.
CREATE OR REPLACE MACRO known_tokens(names) AS (
    WITH asked AS (
        SELECT name, token_of(name) AS token, position
        FROM (SELECT unnest(names_of(names)) AS name, generate_subscripts(names_of(names), 1) AS position)
    ),
    new AS (FROM asked WHERE token <> '*' AND token NOT IN (SELECT product_token FROM agent_catalog)),
    strange AS (
        FROM new WHERE token NOT IN (SELECT product_token FROM agents WHERE product_token IN (SELECT token FROM new))
    ),
    -- All names are searched only if one is unknown.
    known AS (
        SELECT product_token FROM agent_catalog
        UNION
        SELECT product_token FROM agents WHERE (SELECT count(*) FROM strange) > 0
    ),
    unknown AS (
        SELECT
            name,
            list(product_token ORDER BY jaro_winkler_similarity(product_token, token) DESC, product_token)[:3] AS near
        FROM strange LEFT JOIN known ON jaro_winkler_similarity(product_token, token) > 0.75
        GROUP BY name
    )
    SELECT CASE
        WHEN names IS NULL THEN NULL
        WHEN len(names_of(names)) = 0 THEN error('agents is an empty list; name a crawler, as in agents=[gptbot]')
        WHEN (SELECT count(*) FROM unknown) > 0 THEN error((
            SELECT string_agg(
                'no file of the dataset and no row of agent_catalog names the crawler ' || name
                    || coalesce('; is it one of ' || nullif(array_to_string(near, ', '), '') || '?', ''), '. '
            )
            FROM unknown
        ))
        ELSE (
            SELECT list(token ORDER BY position)
            FROM (SELECT token, min(position) AS position FROM asked GROUP BY token)
        )
    END
);
