-- What share of edits changes nothing for anyone?
--
-- Keywords: changes that matter, comments, cosmetic, no effect, revisions.
-- Reproduces: nothing published; tools that compare files line by line cannot answer.
-- Denominator: edits of a kind (n): two consecutive answers of an origin, over all crawls, that
--   differ in policy, or in whether there is a file. file added or removed: a status 4xx such as
--   404 or 403, which allows everything, on the other side; server error: 5xx, which allows nothing,
--   on one side. effect is for all crawlers together: nothing means the same paths for each.
--   `robostat diff DATASET` has to run before.
-- Unit: edits of origins (scheme, host and port); a policy may change on many hosts at once.
-- Intervals: none; the edits of one platform are not independent.
-- Parameters: by_dialect: a dialect in policy_diffs.
CREATE OR REPLACE MACRO edits(by_dialect VARCHAR := 'rfc9309') AS TABLE
    WITH pairs AS (
        SELECT
            edits,
            CASE
                WHEN 'disallow_all' IN (access_before, access_after) THEN 'server error'
                WHEN access_before = 'allow_all' THEN 'file added'
                WHEN access_after = 'allow_all' THEN 'file removed'
                ELSE 'policies'
            END AS kind,
            bool_or(class IN ('stricter', 'mixed')) AS is_stricter,
            bool_or(class IN ('looser', 'mixed')) AS is_looser,
            CASE
                WHEN bool_or(class IS NULL) THEN 'not compared'
                WHEN is_stricter AND is_looser THEN 'mixed'
                WHEN bool_or(class = 'undecided') THEN 'undecided'
                WHEN is_stricter THEN 'stricter'
                WHEN is_looser THEN 'looser'
                ELSE 'nothing'
            END AS effect
        FROM edits_compared(by_dialect)
        GROUP BY policy_id_before, policy_id_after, access_before, access_after, month, edits
    )
    SELECT
        kind, effect,
        sum(edits)::BIGINT AS edits,
        pct(sum(edits), sum(sum(edits)) OVER of_kind) AS pct_of_edits,
        sum(sum(edits)) OVER of_kind::BIGINT AS n,
        'edits of this kind' AS population, 'edit' AS unit, all_crawls() AS all_crawls,
        if(effect = 'not compared', 'run robostat diff on the dataset, with --dialect if not rfc9309', NULL) AS note
    FROM pairs
    GROUP BY kind, effect
    WINDOW of_kind AS (PARTITION BY kind)
    ORDER BY n DESC, kind, edits DESC, effect;
