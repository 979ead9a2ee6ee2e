-- When did a rule come, and when did it go?
--
-- Topic: What changes.
-- Keywords: added, removed, date of a change, timeline, diff, one site.
-- Reproduces: dates on which rules were added and removed, by agent and path, of
--   historical-robots-txt-parser.
-- Denominator: none; a row for each rule that one of two captures in a row of an origin has and the
--   other has not (see the view policy_changes). The rule changed after fetch_time_before and not
--   after fetch_time. The last changes come first.
-- Parameters: host (every host), agents (every agent), changes (100; how many changes of policy to
--   look into, the last ones), top (200).
CREATE OR REPLACE MACRO rule_history(
    agents := NULL,
    host VARCHAR := NULL,
    changes INTEGER := 100,
    top INTEGER := 200
) AS TABLE
    WITH changed AS (
        SELECT origin, crawl, fetch_time_before, fetch_time, policy_id_before, policy_id
        FROM policy_changes
        WHERE host IS NULL OR url_host_name = lower(host)
        ORDER BY fetch_time DESC, origin
        LIMIT changes
    ),
    touched AS (
        SELECT policy_id FROM changed UNION SELECT policy_id_before FROM changed
    ),
    agent_rules AS (
        SELECT DISTINCT policy_id, product_token, rule_type, coalesce(path_raw, path) AS path
        FROM (
            SELECT policy_id, group_index, unnest(product_tokens) AS product_token
            FROM groups SEMI JOIN touched USING (policy_id)
        )
        JOIN rules USING (policy_id, group_index)
        WHERE product_token <> ''
            AND (agents IS NULL OR product_token IN (SELECT unnest(known_tokens(agents))))
    ),
    events AS (
        SELECT changed.*, 'added' AS event, product_token, rule_type, path
        FROM changed
        JOIN agent_rules ON agent_rules.policy_id = changed.policy_id
        ANTI JOIN agent_rules AS before
            ON before.policy_id = changed.policy_id_before AND before.product_token = agent_rules.product_token
            AND before.rule_type = agent_rules.rule_type AND before.path = agent_rules.path
        UNION ALL
        SELECT changed.*, 'removed', product_token, rule_type, path
        FROM changed
        JOIN agent_rules ON agent_rules.policy_id = changed.policy_id_before
        ANTI JOIN agent_rules AS after
            ON after.policy_id = changed.policy_id AND after.product_token = agent_rules.product_token
            AND after.rule_type = agent_rules.rule_type AND after.path = agent_rules.path
    )
    SELECT origin, product_token, event, rule_type, path, fetch_time_before, fetch_time, crawl
    FROM events
    ORDER BY fetch_time DESC, origin, product_token, event, rule_type, path
    LIMIT top;
