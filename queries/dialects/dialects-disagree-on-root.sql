-- On how many files do two dialects of the protocol disagree about the root?
--
-- Keywords: parsers, Google, 1994, RFC 9309, disagreement, interpretation.
-- Reproduces: nothing published; the matrix of the six dialects since 1994.
-- Denominator: distinct files that name an agent, of all crawls (n). A file counts for a pair if
--   some agent that it names (`*`: any it does not name) may fetch `/` by one dialect and not by
--   the other; hosts have captures with such files.
-- Unit: distinct files: it compares interpretations of a text, however many hosts have it.
-- Intervals: none; the files are not a sample.
CREATE OR REPLACE MACRO dialects_disagree_on_root() AS TABLE
    WITH dialects(dialect, rank) AS (
        VALUES ('rep1994', 1), ('koster1996', 2), ('conner1996', 3), ('rep2019', 4), ('rfc9309', 5), ('google', 6)
    ),
    pairs AS (
        SELECT a.dialect, b.dialect AS other, a.rank, b.rank AS other_rank
        FROM dialects AS a
        JOIN dialects AS b ON a.rank < b.rank
    ),
    -- For each agent the dialects that disallow it the root.
    verdicts AS (
        SELECT DISTINCT policy_id, root_disallowed_by AS disallowed_by
        FROM agents
        WHERE len(root_disallowed_by) NOT IN (0, (SELECT count(*) FROM dialects))
    ),
    disagreements AS MATERIALIZED (
        SELECT
            dialect, other, policy_id,
            bool_or(list_contains(disallowed_by, other)) AS allows_more,
            bool_or(list_contains(disallowed_by, dialect)) AS blocks_more
        FROM verdicts
        JOIN pairs ON list_contains(disallowed_by, dialect) <> list_contains(disallowed_by, other)
        GROUP BY ALL
    ),
    by_files AS (
        SELECT
            dialect, other,
            count(*) AS files,
            count(*) FILTER (allows_more) AS allowed_by_first_only,
            count(*) FILTER (blocks_more) AS allowed_by_other_only
        FROM disagreements
        JOIN files USING (policy_id)
        GROUP BY ALL
    ),
    by_hosts AS (
        SELECT dialect, other, count(DISTINCT url_host_name) AS hosts
        FROM disagreements
        JOIN (SELECT DISTINCT policy_id, url_host_name FROM captures) USING (policy_id)
        GROUP BY ALL
    )
    SELECT
        dialect, other,
        coalesce(files, 0) AS files,
        round(100.0 * coalesce(files, 0) / nullif(n, 0), 3) AS pct_of_files,
        coalesce(allowed_by_first_only, 0) AS allowed_by_first_only,
        coalesce(allowed_by_other_only, 0) AS allowed_by_other_only,
        coalesce(hosts, 0) AS hosts,
        n, 'files naming an agent' AS population, 'file' AS unit, all_crawls() AS all_crawls
    FROM pairs
    CROSS JOIN (SELECT count(*) AS n FROM files WHERE n_agents > 0)
    LEFT JOIN by_files USING (dialect, other)
    LEFT JOIN by_hosts USING (dialect, other)
    ORDER BY rank, other_rank;
