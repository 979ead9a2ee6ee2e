-- On how many files do two dialects of the protocol disagree about the root?
--
-- Topic: Dialects.
-- Reproduces: nothing published; the matrix of the six dialects since 1994.
-- Denominator: distinct files with at least one product token. A file counts for a pair if some agent
--   that it names (`*`: any it does not name) may fetch `/` by one dialect and not by the other;
--   hosts have captures with such files, of all crawls.
-- Unit: distinct files, of all crawls (n): it compares interpretations of a text, however many hosts have it.
-- Intervals: none; the files are not a sample.
-- Parameters: none.
CREATE OR REPLACE MACRO dialects_disagree_on_root() AS TABLE
    WITH verdicts AS MATERIALIZED (
        -- For each of a policy's agents what the dialects say, in the order below. Few policies differ in it.
        SELECT policy_id,
            list_sort(list(DISTINCT
                [root_rep1994, root_koster1996, root_conner1996, root_rep2019, root_rfc9309, root_google]
            )) AS said
        FROM agents
        -- The others agree, which are nearly all.
        WHERE NOT (
            root_rep1994 = root_koster1996 AND root_rep1994 = root_conner1996 AND root_rep1994 = root_rep2019
            AND root_rep1994 = root_rfc9309 AND root_rep1994 = root_google
        )
        GROUP BY policy_id
    ),
    dialects(dialect, rank) AS (
        VALUES ('rep1994', 1), ('koster1996', 2), ('conner1996', 3), ('rep2019', 4), ('rfc9309', 5), ('google', 6)
    ),
    kinds AS MATERIALIZED (
        SELECT said, min(policy_id) AS kind FROM verdicts GROUP BY said
    ),
    policies_of_kinds AS MATERIALIZED (
        SELECT policy_id, kind FROM verdicts JOIN kinds USING (said)
    ),
    pairs AS MATERIALIZED (
        SELECT kind, a.dialect AS dialect, b.dialect AS other,
            list_bool_or(list_transform(said, lambda one: one[a.rank] AND NOT one[b.rank])) AS allows_more,
            list_bool_or(list_transform(said, lambda one: one[b.rank] AND NOT one[a.rank])) AS blocks_more
        FROM kinds CROSS JOIN dialects AS a JOIN dialects AS b ON a.rank < b.rank
        WHERE allows_more OR blocks_more
    ),
    total AS (
        SELECT count(*) AS files FROM files WHERE n_agents > 0
    ),
    by_hosts AS (
        SELECT dialect, other, count(DISTINCT url_host_name) AS hosts
        FROM pairs
        JOIN (SELECT DISTINCT kind, url_host_name FROM captures JOIN policies_of_kinds USING (policy_id)) USING (kind)
        GROUP BY ALL
    ),
    by_files AS (
        SELECT dialect, other, sum(files) AS files,
            coalesce(sum(files) FILTER (allows_more), 0) AS allowed_by_first_only,
            coalesce(sum(files) FILTER (blocks_more), 0) AS allowed_by_other_only
        FROM pairs
        JOIN (SELECT kind, count(*) AS files FROM files JOIN policies_of_kinds USING (policy_id) GROUP BY kind) USING (kind)
        GROUP BY ALL
    )
    SELECT a.dialect, b.dialect AS other, coalesce(by_files.files, 0)::BIGINT AS files,
        round(100.0 * coalesce(by_files.files, 0) / nullif((SELECT files FROM total), 0), 3) AS pct_of_files,
        coalesce(allowed_by_first_only, 0)::BIGINT AS allowed_by_first_only,
        coalesce(allowed_by_other_only, 0)::BIGINT AS allowed_by_other_only,
        coalesce(hosts, 0) AS hosts,
        (SELECT files FROM total) AS n,
        'files naming an agent' AS population,
        'file' AS unit,
        all_crawls() AS all_crawls
    FROM dialects AS a JOIN dialects AS b ON a.rank < b.rank
    LEFT JOIN by_files ON by_files.dialect = a.dialect AND by_files.other = b.dialect
    LEFT JOIN by_hosts ON by_hosts.dialect = a.dialect AND by_hosts.other = b.dialect
    ORDER BY a.rank, b.rank;
