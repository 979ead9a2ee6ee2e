-- How a dialect reads the response that counts: parse (a file), allow_all, disallow_all, or nothing
-- (null).
CREATE OR REPLACE MACRO access_of(policy_id, final_status, ended, dialect) AS
    CASE
        WHEN policy_id IS NOT NULL THEN 'parse'
        WHEN ended = 'not_captured' THEN NULL
        WHEN ended <> 'final' THEN if(dialect = 'koster1996', NULL, 'allow_all')
        WHEN final_status = 204 THEN 'allow_all'
        WHEN final_status BETWEEN 200 AND 399 OR final_status IS NULL THEN NULL
        WHEN dialect = 'koster1996' AND final_status IN (401, 403) THEN 'disallow_all'
        WHEN dialect = 'google' AND final_status = 429 THEN 'disallow_all'
        WHEN dialect = 'koster1996' AND final_status IN (408, 425, 429) THEN NULL
        WHEN final_status BETWEEN 400 AND 499 THEN 'allow_all'
        ELSE if(dialect = 'koster1996', NULL, 'disallow_all')
    END;

-- Changes of origins, as `robostat diff DATASET` compares them: one row for each pair of consecutive answers that
-- differ, over all crawls. An answer without a file counts as the dialect reads it.
CREATE OR REPLACE MACRO policy_edits(by_dialect) AS TABLE
    WITH answers AS NOT MATERIALIZED (
        SELECT *, access_of(policy_id, final_status, ended, by_dialect) AS access
        FROM resolved
        WHERE access IS NOT NULL
            AND by_dialect = one_of(
                by_dialect, ['rep1994', 'koster1996', 'conner1996', 'rep2019', 'rfc9309', 'google'], 'by_dialect'
            )
    ),
    changing AS (
        FROM answers
        WHERE origin IN (
            SELECT origin FROM answers
            GROUP BY origin HAVING min(access) <> max(access) OR min(policy_id) <> max(policy_id)
        )
    )
    SELECT
        origin, url_host_name, domain, crawl, fetch_time_before, fetch_time,
        policy_id_before, policy_id AS policy_id_after, access_before, access AS access_after
    FROM with_before('changing')
    WHERE access_before IS NOT NULL AND (policy_id IS DISTINCT FROM policy_id_before OR access <> access_before);

-- The rows of a CTE with the columns of policy_edits, once for each crawler, with the effect of the edit on the
-- crawler. product_token and class are null for pairs that policy_diffs lacks.
CREATE OR REPLACE MACRO edits_compared(edits_name, by_dialect) AS TABLE
    SELECT edits.*, product_token, class, witness_blocked, witness_opened
    FROM query_table(edits_name) AS edits
    LEFT JOIN (FROM policy_diffs WHERE dialect = by_dialect) AS diffs
        ON (diffs.policy_id_before, diffs.policy_id_after)
            IS NOT DISTINCT FROM (edits.policy_id_before, edits.policy_id_after)
        AND (diffs.access_before, diffs.access_after) = (edits.access_before, edits.access_after);
