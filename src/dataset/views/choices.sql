-- Whose lines decide for given crawlers, on the hosts of a CTE with file_id and policy_id. A row for each crawler and
-- each host whose file has a group for the crawler, or leaves it no path:
--   names, blocks   the file has a group for the crawler; the crawler has no path, by whatever group
--   blocks_by_name  both
--   own_…           the same without the lines of platforms; if true only of the whole file, it is a platform's default
CREATE OR REPLACE MACRO choices_of(tokens, hosts) AS TABLE
    WITH verdicts AS MATERIALIZED (FROM names_and_blocks(tokens))
    SELECT
        host.*, whole.* EXCLUDE (policy_id),
        whole.names AND coalesce(own.names, false) AS own_names,
        whole.blocks AND coalesce(own.blocks, false) AS own_blocks,
        whole.blocks_by_name AND coalesce(own.blocks_by_name, false) AS own_blocks_by_name
    FROM query_table(hosts) AS host
    JOIN verdicts AS whole USING (policy_id)
    JOIN files USING (file_id)
    LEFT JOIN verdicts AS own
        ON own.policy_id = files.owner_policy_id AND own.product_token = whole.product_token;
