-- Who opened and who closed, by crawler and month?
--
-- Topic: What changes.
-- Keywords: began, stopped, stricter, looser, trend, month, opened, closed.
-- Reproduces: added and removed restrictions by agent of Liu et al., IMC 2025, for every path in
--   place of three levels.
-- Denominator: none; counts of edits from one file to another (see the query edits), by the month
--   of the later capture. opened: the crawler may fetch paths that it could not before, and lost
--   none; closed: the reverse; mixed: both. A crawler counts where the file before or after names
--   it; `*` is every crawler that neither names. `robostat diff DATASET` has to run before: without
--   it the answer is one row with a note.
-- Parameters: agents (the top ones), top (12; those with most openings and closings), by_dialect
--   (rfc9309; a dialect in policy_diffs).
CREATE OR REPLACE MACRO openings_and_closings(
    agents := NULL,
    top INTEGER := 12,
    by_dialect VARCHAR := 'rfc9309'
) AS TABLE
    WITH counted AS (
        SELECT
            product_token,
            month,
            sum(edits) AS edits,
            coalesce(sum(edits) FILTER (class = 'looser'), 0) AS opened,
            coalesce(sum(edits) FILTER (class = 'stricter'), 0) AS closed,
            coalesce(sum(edits) FILTER (class = 'mixed'), 0) AS mixed
        FROM edits_compared(by_dialect)
        WHERE access_before = 'parse' AND access_after = 'parse'
        GROUP BY product_token, month
    ),
    busiest AS (
        SELECT product_token
        FROM counted
        GROUP BY product_token
        ORDER BY sum(opened + closed + mixed) DESC, product_token
        LIMIT top
    )
    SELECT
        product_token,
        month,
        edits::BIGINT AS edits,
        opened::BIGINT AS opened,
        closed::BIGINT AS closed,
        mixed::BIGINT AS mixed,
        all_crawls() AS all_crawls,
        if(product_token IS NULL, 'not compared: run robostat diff on the dataset', NULL) AS note
    FROM counted
    WHERE product_token IS NULL
        OR if(agents IS NULL, product_token IN (FROM busiest), product_token IN (SELECT unnest(known_tokens(agents))))
    ORDER BY product_token, month;
