-- Which crawlers gained paths and which lost paths, month by month?
-- Keywords: began, stopped, stricter, looser, trend, month, opened, closed.
-- Reproduces: added and removed restrictions by agent (Liu et al., IMC 2025), by paths instead of three levels.
-- Denominator: none; edits from one file to another (see edits), by the month of the later capture. opened: the crawler
--   may fetch paths that it could not before, and lost none; closed: the reverse; mixed: it gained some paths and lost
--   others. An edit counts for the crawlers that either file names; `*` is every crawler that neither file names. edits
--   includes edits that change nothing for the crawler. Files with another answer between them, such as 404 or 500, are
--   not an edit here. n_domains: registrable domains with an edit in any month. Run `robostat diff DATASET` first.
-- Parameters: top: how many crawlers, those with the most changes; by_dialect: a dialect in policy_diffs.
CREATE OR REPLACE MACRO openings_and_closings(agents := NULL, top := 12, by_dialect := 'rfc9309') AS TABLE
    WITH changes AS MATERIALIZED (
        SELECT *, date_trunc('month', utc(fetch_time))::DATE AS month
        FROM policy_edits(by_dialect)
        WHERE access_before = 'parse' AND access_after = 'parse'
    ),
    counted AS (
        SELECT
            product_token, month, count(*) AS edits,
            count(*) FILTER (class = 'looser') AS opened, count(*) FILTER (class = 'stricter') AS closed,
            count(*) FILTER (class = 'mixed') AS mixed
        FROM edits_compared('changes', by_dialect)
        GROUP BY product_token, month
    )
    SELECT
        *,
        (SELECT count(DISTINCT domain) FROM changes) AS n_domains,
        all_crawls() AS all_crawls,
        if(product_token IS NULL, 'not compared: run robostat diff on the dataset', NULL) AS note
    FROM counted
    WHERE product_token IS NULL
        OR list_contains(known_tokens(agents), product_token)
        OR agents IS NULL AND product_token IN (
            SELECT product_token
            FROM counted
            GROUP BY product_token
            ORDER BY sum(opened + closed + mixed) DESC, product_token
            LIMIT top
        )
    ORDER BY product_token, month;
