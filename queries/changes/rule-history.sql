-- When did a rule come, and when did it go?
--
-- Keywords: added, removed, date of a change, timeline, diff, one site, history.
-- Reproduces: dates on which rules were added and removed, by agent and path, of
--   historical-robots-txt-parser.
-- Denominator: none; a row for each rule that one of two captures in a row of an origin has and the
--   other has not (see the view policy_changes). The rule changed after fetch_time_before and not
--   after fetch_time.
-- Parameters: host: one host; changes: how many changes of policy to look into, the last ones
--   first.
CREATE OR REPLACE MACRO rule_history(
    agents := NULL, host VARCHAR := NULL, changes INTEGER := 100, top INTEGER := 200
) AS TABLE
    WITH changed AS (
        SELECT origin, crawl, fetch_time_before, fetch_time, policy_id_before, policy_id
        FROM policy_changes
        WHERE host IS NULL OR url_host_name = lower(host)
        ORDER BY fetch_time DESC, origin
        LIMIT changes
    ),
    rules_of_agents AS (
        SELECT DISTINCT policy_id, product_token, rule_type, coalesce(path_raw, path) AS path
        FROM (SELECT policy_id, group_index, unnest(product_tokens) AS product_token FROM groups)
        JOIN rules USING (policy_id, group_index)
        WHERE product_token <> '' AND (agents IS NULL OR list_contains(known_tokens(agents), product_token))
            AND policy_id IN (SELECT policy_id FROM changed UNION SELECT policy_id_before FROM changed)
    ),
    rules_before AS (
        SELECT changed.*, product_token, rule_type, path
        FROM changed
        JOIN rules_of_agents AS rules ON rules.policy_id = changed.policy_id_before
    ),
    rules_after AS (
        SELECT changed.*, product_token, rule_type, path
        FROM changed
        JOIN rules_of_agents AS rules ON rules.policy_id = changed.policy_id
    ),
    events AS (
        SELECT 'added' AS event, * FROM (FROM rules_after EXCEPT FROM rules_before)
        UNION ALL
        SELECT 'removed', * FROM (FROM rules_before EXCEPT FROM rules_after)
    )
    SELECT origin, product_token, event, rule_type, path, fetch_time_before, fetch_time, crawl
    FROM events
    ORDER BY fetch_time DESC, origin, product_token, event, rule_type, path
    LIMIT top;
