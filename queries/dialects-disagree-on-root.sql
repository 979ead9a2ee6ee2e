-- On how many files do two dialects of the protocol disagree about the root?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the matrix of the six dialects since 1994.
-- Denominator: distinct files with at least one product token. A file counts for a pair if some agent
--   that it names (`*`: any it does not name) may fetch `/` by one dialect and not by the other;
--   hosts are those of the captures with such files, of all crawls.
-- Unit: distinct files, of all crawls (n): it compares interpretations of a text, however many hosts have it.
-- Intervals: none; the files are no sample of files.
-- Parameters: none.
CREATE OR REPLACE MACRO dialects_disagree_on_root() AS TABLE
    WITH verdicts AS (
        UNPIVOT (
            SELECT policy_id, product_token, root_rep1994, root_koster1996, root_conner1996, root_rep2019,
                root_rfc9309, root_google
            FROM agents
            -- The others agree, which are nearly all.
            WHERE NOT (
                root_rep1994 = root_koster1996 AND root_rep1994 = root_conner1996 AND root_rep1994 = root_rep2019
                AND root_rep1994 = root_rfc9309 AND root_rep1994 = root_google
            )
        )
        ON COLUMNS('root_.*') INTO NAME root_column VALUE allowed
    ),
    dialects(dialect, rank) AS (
        VALUES ('rep1994', 1), ('koster1996', 2), ('conner1996', 3), ('rep2019', 4), ('rfc9309', 5), ('google', 6)
    ),
    named AS (
        SELECT policy_id, product_token, dialect, rank, allowed
        FROM verdicts JOIN dialects ON root_column = 'root_' || dialect
    ),
    pairs AS MATERIALIZED (
        SELECT a.policy_id, a.dialect AS dialect, b.dialect AS other, a.rank, b.rank AS other_rank,
            bool_or(a.allowed AND NOT b.allowed) AS allows_more, bool_or(b.allowed AND NOT a.allowed) AS blocks_more
        FROM named AS a JOIN named AS b USING (policy_id, product_token)
        WHERE a.rank < b.rank AND a.allowed <> b.allowed
        GROUP BY ALL
    ),
    policy_files AS (
        SELECT policy_id, count(*) AS files FROM files GROUP BY policy_id
    ),
    policy_hosts AS (
        SELECT policy_id, url_host_name FROM captures SEMI JOIN pairs USING (policy_id) GROUP BY ALL
    ),
    total AS (
        SELECT count(*) AS files FROM files WHERE n_agents > 0
    ),
    by_hosts AS (
        SELECT dialect, other, count(DISTINCT url_host_name) AS hosts
        FROM pairs JOIN policy_hosts USING (policy_id) GROUP BY ALL
    ),
    by_files AS (
        SELECT dialect, other, rank, other_rank, sum(files) AS files,
            coalesce(sum(files) FILTER (allows_more), 0) AS allowed_by_first_only,
            coalesce(sum(files) FILTER (blocks_more), 0) AS allowed_by_other_only
        FROM pairs JOIN policy_files USING (policy_id) GROUP BY ALL
    )
    SELECT a.dialect, b.dialect AS other, coalesce(by_files.files, 0)::BIGINT AS files,
        round(100.0 * coalesce(by_files.files, 0) / nullif((SELECT files FROM total), 0), 3) AS pct_of_files,
        coalesce(allowed_by_first_only, 0)::BIGINT AS allowed_by_first_only,
        coalesce(allowed_by_other_only, 0)::BIGINT AS allowed_by_other_only,
        coalesce(hosts, 0) AS hosts,
        (SELECT files FROM total) AS n,
        'files naming an agent' AS population,
        'file' AS unit
    FROM dialects AS a JOIN dialects AS b ON a.rank < b.rank
    LEFT JOIN by_files ON by_files.dialect = a.dialect AND by_files.other = b.dialect
    LEFT JOIN by_hosts ON by_hosts.dialect = a.dialect AND by_hosts.other = b.dialect
    ORDER BY a.rank, b.rank;
