-- The preferences of each policy that hold for a crawler, by name, as effective_agent has it: those
-- of the groups that it takes, and those for everybody. A path-scoped one holds where its path is
-- the longest that matches (draft-ietf-aipref-attach-05 §3.1). Of several for the same use
-- and path, one that denies it wins (draft-ietf-aipref-vocab-08 §5.1).
CREATE OR REPLACE MACRO effective_preferences(name) AS TABLE
    SELECT preferences.*
    FROM preferences
    LEFT JOIN groups USING (policy_id, group_index)
    LEFT JOIN effective_agent(name) AS effective USING (policy_id)
    WHERE group_index IS NULL
        OR list_contains(product_tokens[user_agent_first:user_agent_last], matched_token);

-- Every preference that a host states in a crawl, for whichever crawler: source tells whether in
-- its robots.txt (group_index: in which group; null: for everybody) or in a header of the
-- response to the request for it. Such a header is about that response; servers that send it do so
-- with everything, as a rule. Headers are parted at every comma, and a Content-Usage header is not
-- checked as a whole.
CREATE OR REPLACE VIEW stated_signals AS
    WITH headers AS (
        SELECT
            crawl,
            hosts.url_host_name,
            hosts.origin,
            hosts.policy_id,
            unnest([
                {'vocabulary': 'content-signal', 'preference': NULL, 'header': http_content_signal},
                {'vocabulary': 'content-usage', 'preference': NULL, 'header': http_content_usage},
                {'vocabulary': 'license', 'preference': 'license', 'header': http_link_license},
                {'vocabulary': 'tdm', 'preference': 'tdm-reservation', 'header': http_tdm_reservation},
                {'vocabulary': 'tdm', 'preference': 'tdm-policy', 'header': http_tdm_policy}
            ], recursive := true)
        FROM hosts
        JOIN captures USING (crawl, input_id, warc_record_offset, warc_record_inner_offset)
        WHERE coalesce(
            http_content_signal, http_content_usage, http_link_license, http_tdm_reservation, http_tdm_policy
        ) IS NOT NULL
    ),
    header_items AS (
        SELECT
            *,
            trim(unnest(if(preference IS NULL, string_split(header, ','), [header]))) AS item
        FROM headers
        WHERE header IS NOT NULL
    ),
    header_pairs AS (
        SELECT
            * EXCLUDE (preference),
            coalesce(preference, lower(trim(regexp_extract(item, '^[^=;]*')))) AS preference,
            if(preference IS NULL, trim(regexp_extract(item, '=(.*)$', 1)), item) AS value
        FROM header_items
    )
    SELECT
        crawl,
        url_host_name,
        origin,
        'robots.txt' AS source,
        group_index,
        user_agent_first,
        user_agent_last,
        vocabulary,
        path,
        preference,
        value,
        allows,
        level,
        policy_id
    FROM hosts
    JOIN preferences USING (policy_id)
    UNION ALL BY NAME
    SELECT
        crawl,
        url_host_name,
        origin,
        'header' AS source,
        vocabulary,
        preference,
        value,
        CASE vocabulary
            WHEN 'content-signal' THEN CASE lower(value) WHEN 'yes' THEN true WHEN 'no' THEN false END
            WHEN 'content-usage' THEN CASE split_part(value, ';', 1) WHEN 'y' THEN true WHEN 'n' THEN false END
            WHEN 'tdm' THEN CASE preference || value
                WHEN 'tdm-reservation0' THEN true WHEN 'tdm-reservation1' THEN false END
        END AS allows,
        CASE WHEN vocabulary = 'content-signal' AND preference = 'use'
            AND lower(value) IN ('immediate', 'reference', 'full') THEN lower(value) END AS level,
        policy_id
    FROM header_pairs;

-- The same with the product tokens that the group is for; null: everybody.
CREATE OR REPLACE VIEW host_signals AS
    SELECT
        crawl,
        url_host_name,
        origin,
        source,
        product_tokens[user_agent_first:user_agent_last] AS product_tokens,
        vocabulary,
        path,
        preference,
        value,
        allows,
        level,
        policy_id
    FROM stated_signals
    LEFT JOIN groups USING (policy_id, group_index);
