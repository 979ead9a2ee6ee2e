-- Who chose what holds for some crawlers, on hosts with owner_policy_id (see host_files_by). A row for each
-- crawler and each host whose file has a group for it, or leaves it no path:
--   names, blocks   the file has a group for the crawler; the crawler has no path, by whatever group
--   blocks_by_name  both
--   own_…           the same is true without the lines of platforms. If only the whole file does it, it is
--                   a platform's default
CREATE OR REPLACE MACRO choices_of(tokens, hosts) AS TABLE
    WITH verdicts AS MATERIALIZED (FROM names_and_blocks(tokens))
    SELECT
        host.*,
        whole.* EXCLUDE (policy_id),
        whole.names AND coalesce(own.names, false) AS own_names,
        whole.blocks AND coalesce(own.blocks, false) AS own_blocks,
        whole.blocks_by_name AND coalesce(own.blocks_by_name, false) AS own_blocks_by_name
    FROM query_table(hosts) AS host
    JOIN verdicts AS whole ON whole.policy_id = host.policy_id
    LEFT JOIN verdicts AS own
        ON own.policy_id = host.owner_policy_id AND own.product_token = whole.product_token;
