-- Rows of resolved, each with columns …_before from the previous row of the same origin: all are null for the origin's
-- first row.
CREATE OR REPLACE MACRO with_before(rows) AS TABLE
    SELECT
        *,
        lag(COLUMNS('^(crawl|fetch_time|final_status|file_id|policy_id|access)$')) OVER (
            PARTITION BY origin
            ORDER BY
                fetch_time NULLS FIRST, crawl, warc_filename, input_id, warc_record_offset, warc_record_inner_offset
        ) AS '\1_before'
    FROM query_table(rows);

-- Origins with settled captures; is_steady: all of these captures found the same policy, or all found none, so they
-- need not be sorted by time.
CREATE OR REPLACE VIEW settled_origins AS
    SELECT
        origin, min(fetch_time) AS first_time, max(fetch_time) AS last_time, min(policy_id) AS policy_id,
        min(policy_id) IS NOT DISTINCT FROM max(policy_id) AND count(policy_id) IN (0, count(*)) AS is_steady
    FROM resolved
    WHERE is_settled
    GROUP BY origin;

-- The time in which each answer of an origin held (policy_id null: no file), from fetch_time to known_until, which is
-- null for the last answer.
CREATE OR REPLACE VIEW policy_spans AS
    SELECT
        origin, fetch_time,
        lead(fetch_time) OVER (
            PARTITION BY origin
            ORDER BY fetch_time, crawl, warc_filename, input_id, warc_record_offset, warc_record_inner_offset
        ) AS known_until,
        policy_id
    FROM resolved
    WHERE fetch_time IS NOT NULL AND is_settled;

-- When origins first named each given product token, and when they were first and last captured.
CREATE OR REPLACE MACRO first_mentions(tokens) AS TABLE
    SELECT
        product_token, origin, min(fetch_time) AS first_named,
        any_value(first_time) AS first_time, any_value(last_time) AS last_time
    FROM resolved
    JOIN agents USING (policy_id)
    JOIN settled_origins USING (origin)
    WHERE is_settled AND fetch_time IS NOT NULL AND list_contains(tokens, product_token)
    GROUP BY product_token, origin;

-- Changes of origins: one row for each pair of consecutive captures with different policies, over all crawls. Only
-- answers that settle the rules count, after redirects: a file, or its absence (404, 204), for which the policy is
-- null. Errors and unfollowed redirects in between are skipped, and changes to comments and sitemaps do not count.
CREATE OR REPLACE VIEW policy_changes AS
    WITH answers AS (
        FROM resolved SEMI JOIN (FROM settled_origins WHERE NOT is_steady) AS changing USING (origin)
        WHERE is_settled
    )
    SELECT
        origin, url_host_name, crawl_before, crawl, fetch_time_before, fetch_time,
        final_status_before, final_status, policy_id_before, policy_id
    FROM with_before('answers')
    WHERE crawl_before IS NOT NULL AND policy_id IS DISTINCT FROM policy_id_before;

-- How the policies of a CTE's rows (policy_id_before, policy_id) differ, each pair once: a row for every product token
-- that only one of the two policies has a group for (added, removed), or that they restrict differently (stricter,
-- looser).
CREATE OR REPLACE MACRO agent_differences(pairs) AS TABLE
    SELECT
        policy_id_before, sides.policy_id, product_token,
        max(list_position(['none', 'partial', 'full'], restriction)) FILTER (is_before) AS before,
        max(list_position(['none', 'partial', 'full'], restriction)) FILTER (NOT is_before) AS after,
        CASE
            WHEN before IS NULL THEN 'added'
            WHEN after IS NULL THEN 'removed'
            WHEN after > before THEN 'stricter'
            ELSE 'looser'
        END AS event
    FROM (
        SELECT *, unnest([policy_id_before, policy_id]) AS policy, unnest([true, false]) AS is_before
        FROM (SELECT DISTINCT policy_id_before, policy_id FROM query_table(pairs))
    ) AS sides
    JOIN agents ON agents.policy_id = policy
    GROUP BY policy_id_before, sides.policy_id, product_token
    HAVING before IS DISTINCT FROM after;

-- agent_differences with one row for each pair, and lists of the product tokens.
CREATE OR REPLACE MACRO policy_differences(pairs) AS TABLE
    SELECT
        policy_id_before, policy_id,
        list(product_token ORDER BY product_token) FILTER (event = 'added') AS agents_added,
        list(product_token ORDER BY product_token) FILTER (event = 'removed') AS agents_removed,
        list(product_token ORDER BY product_token) FILTER (event = 'stricter') AS agents_stricter,
        list(product_token ORDER BY product_token) FILTER (event = 'looser') AS agents_looser
    FROM agent_differences(pairs)
    GROUP BY ALL;

-- policy_changes with the parts of the origin, and with policy_differences.
CREATE OR REPLACE VIEW changes AS
    WITH changed AS MATERIALIZED (FROM policy_changes)
    SELECT
        changed.*, url_protocol, url_host_tld, url_host_registered_domain, url_port,
        coalesce(COLUMNS(differences.* EXCLUDE (policy_id_before, policy_id)), [])
    FROM changed
    JOIN origins USING (crawl, origin)
    LEFT JOIN policy_differences('changed') AS differences
        ON (differences.policy_id, differences.policy_id_before)
            IS NOT DISTINCT FROM (changed.policy_id, changed.policy_id_before);

-- A host in the form of url_host_name_reversed: its labels in reverse order; an IP address unchanged.
CREATE OR REPLACE MACRO reversed_host(host) AS
    if(
        regexp_full_match(host, '[0-9.]*|\[.*'), host, lower(host).string_split('.').list_reverse().array_to_string('.')
    );

-- Every capture of a host, by name, over all crawls in order of time: FROM history('example.com').
-- change compares the answer with the previous answer of the same origin:
--   first   nothing was known before          same    the same file, or again none
--   file    comments, blank lines, sitemaps   rules   the rules, also if a file came or went
-- change is null for an error or an unfollowed redirect, which shows nothing about the rules. The lists agents_… are
-- the same as in `changes`. Only row groups with the host and its policies are read.
CREATE OR REPLACE MACRO history(host) AS TABLE
    WITH of_host AS MATERIALIZED (FROM resolved WHERE url_host_name_reversed = reversed_host(host)),
    settled AS (FROM of_host WHERE is_settled),
    compared AS MATERIALIZED (FROM with_before('settled') UNION ALL BY NAME FROM of_host WHERE NOT is_settled)
    SELECT
        fetch_time, crawl, origin, fetch_status, n_redirects,
        ended, final_url, final_status, response_class, file_id, compared.policy_id,
        CASE
            WHEN NOT is_settled THEN NULL
            WHEN crawl_before IS NULL THEN 'first'
            WHEN compared.policy_id IS DISTINCT FROM compared.policy_id_before THEN 'rules'
            WHEN file_id IS DISTINCT FROM file_id_before THEN 'file'
            ELSE 'same'
        END AS change,
        coalesce(COLUMNS(differences.* EXCLUDE (policy_id_before, policy_id)), [])
    FROM compared
    LEFT JOIN policy_differences('compared') AS differences
        ON crawl_before IS NOT NULL
        AND (differences.policy_id, differences.policy_id_before)
            IS NOT DISTINCT FROM (compared.policy_id, compared.policy_id_before)
    ORDER BY
        fetch_time NULLS FIRST, crawl, origin, warc_filename, input_id, warc_record_offset, warc_record_inner_offset;
