-- Who chose what holds for some crawlers, on the hosts of a statement (see host_files_sql). A row for each
-- crawler and each set of alike hosts whose file has a group for it, or leaves it no path:
--   names, blocks   the file has a group for the crawler; the crawler has no path, by whatever group
--   blocks_by_name  both
--   own_…           the same is true without the lines of platforms. If only the whole file does it, it is
--                   a platform's default
CREATE OR REPLACE MACRO choices_of(tokens, statement) AS TABLE
    WITH alike AS MATERIALIZED (
        SELECT
            policy_id,
            owner_policy_id,
            cluster,
            count(*) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM query(statement)
        WHERE policy_id IS NOT NULL
        GROUP BY ALL
    ),
    answers AS MATERIALIZED (
        SELECT
            policy_id,
            product_token,
            source = 'own' AS names,
            restriction = 'full' AS blocks,
            names AND blocks AS blocks_by_name
        FROM effective_agents_of(tokens)
        WHERE source = 'own' OR restriction = 'full'
    )
    SELECT
        whole.* EXCLUDE (policy_id),
        whole.names AND coalesce(own.names, false) AS own_names,
        whole.blocks AND coalesce(own.blocks, false) AS own_blocks,
        whole.blocks_by_name AND coalesce(own.blocks_by_name, false) AS own_blocks_by_name,
        cluster,
        hosts,
        weight,
        squares
    FROM alike
    JOIN answers AS whole ON whole.policy_id = alike.policy_id
    LEFT JOIN answers AS own
        ON own.policy_id = owner_policy_id AND own.product_token = whole.product_token;
