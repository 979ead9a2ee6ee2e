-- The preferences of each policy that hold for each given product token: preferences in the groups
-- that apply to the token (see groups_for), and preferences for everybody. A preference with a path
-- holds where its path is the longest that matches (draft-ietf-aipref-attach-05 §3.1). If
-- preferences for a use and path differ, denial wins (draft-ietf-aipref-vocab-08 §5.1).
CREATE OR REPLACE MACRO effective_preferences_of(tokens) AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens))
    SELECT asked.product_token, preferences.*
    FROM preferences
    CROSS JOIN asked
    LEFT JOIN groups USING (policy_id, group_index)
    LEFT JOIN (
        SELECT policy_id, product_token, matched_token FROM groups_for('asked') SEMI JOIN preferences USING (policy_id)
    ) USING (policy_id, product_token)
    WHERE group_index IS NULL
        OR list_contains(
            product_tokens[user_agent_first:user_agent_last],
            coalesce(matched_token, if(obeys_wildcard, '*', NULL))
        );
CREATE OR REPLACE MACRO effective_preferences(name) AS TABLE
    SELECT * EXCLUDE (product_token) FROM effective_preferences_of([name]);

-- Every preference that a host states in a crawl, for whichever crawler: source is robots.txt
-- (group_index: its group; null: for everybody) or header (of the final response to the request for
-- robots.txt, after redirects). Such a header is about that response; servers that send one usually
-- send it with every response. Headers are split at every comma, and a Content-Usage header is not
-- checked as a whole.
CREATE OR REPLACE VIEW stated_signals AS
    WITH stating AS NOT MATERIALIZED (
        FROM captures
        WHERE coalesce(
            http_content_signal, http_content_usage, http_link_license, http_tdm_reservation, http_tdm_policy
        ) IS NOT NULL
    ),
    -- A redirect leads to the latest capture of a URL, which may no longer have such a header.
    latest AS (
        SELECT captures.*
        FROM captures SEMI JOIN stating USING (crawl, url)
        QUALIFY row_number() OVER (
            PARTITION BY crawl, url
            ORDER BY
                fetch_time DESC NULLS LAST, warc_filename DESC, input_id DESC, warc_record_offset DESC,
                warc_record_inner_offset DESC
        ) = 1
    ),
    ends AS (
        SELECT hosts.crawl, hosts.url_host_name, hosts.origin, hosts.policy_id, COLUMNS('^http_')
        FROM hosts JOIN stating USING (crawl, input_id, warc_record_offset, warc_record_inner_offset)
        WHERE n_redirects = 0
        UNION ALL
        SELECT hosts.crawl, hosts.url_host_name, hosts.origin, hosts.policy_id, COLUMNS('^http_')
        FROM hosts JOIN latest ON latest.crawl = hosts.crawl AND latest.url = hosts.final_url
        WHERE n_redirects > 0
    ),
    headers(header, vocabulary, only_preference) AS (VALUES
        ('http_content_signal', 'content-signal', NULL), ('http_content_usage', 'content-usage', NULL),
        ('http_link_license', 'license', 'license'), ('http_tdm_reservation', 'tdm', 'tdm-reservation'),
        ('http_tdm_policy', 'tdm', 'tdm-policy')
    ),
    header_pairs AS (
        SELECT
            * EXCLUDE (header, text, only_preference),
            trim(unnest(if(only_preference IS NULL, string_split(text, ','), [text])), ' ' || chr(9)) AS item,
            coalesce(only_preference, lower(trim(regexp_extract(item, '^[^=;]*'), ' ' || chr(9)))) AS preference,
            if(only_preference IS NULL, trim(regexp_extract(item, '=(.*)$', 1), ' ' || chr(9)), item) AS value
        FROM (UNPIVOT ends ON COLUMNS('^http_') INTO NAME header VALUE text) JOIN headers USING (header)
    )
    SELECT crawl, url_host_name, origin, 'robots.txt' AS source, preferences.* EXCLUDE (line_number)
    FROM hosts JOIN preferences USING (policy_id)
    UNION ALL BY NAME
    SELECT
        * EXCLUDE (item), 'header' AS source,
        MAP {
            'content-signal yes': true, 'content-signal no': false, 'content-usage y': true, 'content-usage n': false,
            'tdm-reservation 0': true, 'tdm-reservation 1': false
        }[if(vocabulary = 'tdm', preference, vocabulary) || ' '
            || if(vocabulary = 'content-usage', split_part(value, ';', 1), lower(value))] AS allows,
        CASE WHEN vocabulary = 'content-signal' AND preference = 'use'
            AND lower(value) IN ('immediate', 'reference', 'full') THEN lower(value) END AS level
    FROM header_pairs
    WHERE preference <> '';

-- stated_signals with the product tokens of the group; null: everybody.
CREATE OR REPLACE VIEW host_signals AS
    SELECT
        stated_signals.* EXCLUDE (group_index, user_agent_first, user_agent_last),
        product_tokens[user_agent_first:user_agent_last] AS product_tokens
    FROM stated_signals LEFT JOIN groups USING (policy_id, group_index);
