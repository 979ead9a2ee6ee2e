-- On how many files do two dialects of the protocol disagree about the root?
--
-- Topic: Dialects.
-- Keywords: parsers, Google, 1994, RFC 9309, disagreement, interpretation.
-- Reproduces: nothing published; the matrix of the six dialects since 1994.
-- Denominator: distinct files with at least one product token. A file counts for a pair if some
--   agent that it names (`*`: any it does not name) may fetch `/` by one dialect and not by the
--   other; hosts have captures with such files, of all crawls.
-- Unit: distinct files, of all crawls (n): it compares interpretations of a text, however many
--   hosts have it.
-- Intervals: none; the files are not a sample.
-- Parameters: none.
CREATE OR REPLACE MACRO dialects_disagree_on_root() AS TABLE
    WITH dialects(dialect, rank) AS (
        VALUES ('rep1994', 1), ('koster1996', 2), ('conner1996', 3), ('rep2019', 4), ('rfc9309', 5), ('google', 6)
    ),
    verdicts AS (
        -- For each agent the dialects that disallow it the root. Elsewhere they agree.
        SELECT DISTINCT policy_id, root_disallowed_by AS disallowed_by
        FROM agents
        WHERE len(root_disallowed_by) NOT IN (0, (SELECT count(*) FROM dialects))
    ),
    pairs AS MATERIALIZED (
        SELECT
            a.dialect,
            b.dialect AS other,
            policy_id,
            bool_or(list_contains(disallowed_by, b.dialect)) AS allows_more,
            bool_or(list_contains(disallowed_by, a.dialect)) AS blocks_more
        FROM verdicts
        CROSS JOIN dialects AS a
        JOIN dialects AS b
            ON a.rank < b.rank
            AND list_contains(disallowed_by, a.dialect) <> list_contains(disallowed_by, b.dialect)
        GROUP BY ALL
    ),
    by_files AS (
        SELECT
            dialect,
            other,
            count(*) AS files,
            count(*) FILTER (allows_more) AS allowed_by_first_only,
            count(*) FILTER (blocks_more) AS allowed_by_other_only
        FROM pairs
        JOIN files USING (policy_id)
        GROUP BY ALL
    ),
    by_hosts AS (
        SELECT dialect, other, count(DISTINCT url_host_name) AS hosts
        FROM pairs
        JOIN (SELECT DISTINCT policy_id, url_host_name FROM captures) USING (policy_id)
        GROUP BY ALL
    )
    SELECT
        a.dialect,
        b.dialect AS other,
        coalesce(files, 0) AS files,
        round(100.0 * coalesce(files, 0) / nullif(n, 0), 3) AS pct_of_files,
        coalesce(allowed_by_first_only, 0) AS allowed_by_first_only,
        coalesce(allowed_by_other_only, 0) AS allowed_by_other_only,
        coalesce(hosts, 0) AS hosts,
        n,
        'files naming an agent' AS population,
        'file' AS unit,
        all_crawls() AS all_crawls
    FROM dialects AS a
    JOIN dialects AS b ON a.rank < b.rank
    CROSS JOIN (SELECT count(*) AS n FROM files WHERE n_agents > 0)
    LEFT JOIN by_files ON by_files.dialect = a.dialect AND by_files.other = b.dialect
    LEFT JOIN by_hosts ON by_hosts.dialect = a.dialect AND by_hosts.other = b.dialect
    ORDER BY a.rank, b.rank;
