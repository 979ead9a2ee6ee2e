-- What share of edits changes nothing for anyone?
-- Keywords: changes that matter, comments, cosmetic, no effect, revisions.
-- Denominator: edits of the row's kind (n), over all crawls. An edit is a pair of consecutive answers of an origin with
--   different policies or access. file added or removed: the answer before or after allows everything (4xx, 204, an
--   endless redirect); server error: either answer allows nothing (5xx, by google also 429; by koster1996 only 401 and
--   403). An answer without a status is skipped: it may be a failed fetch or an incomplete record. effect: on all
--   crawlers together; nothing: each may fetch the same paths as before. Run `robostat diff` first.
-- Unit: edits of origins (scheme, host and port). A policy may change on many hosts at once, so intervals treat the
--   edits of a registrable domain as one cluster; domains counts these domains.
-- Parameters: by_dialect: a dialect in policy_diffs.
CREATE OR REPLACE MACRO edits(by_dialect := 'rfc9309') AS TABLE
    WITH changes AS MATERIALIZED (SELECT *, row_number() OVER () AS number FROM policy_edits(by_dialect)),
    population AS MATERIALIZED (
        SELECT
            CASE
                WHEN 'disallow_all' IN (access_before, access_after) THEN 'server error'
                WHEN access_before = 'allow_all' THEN 'file added'
                WHEN access_after = 'allow_all' THEN 'file removed'
                ELSE 'policies'
            END AS stratum,
            bool_or(class IN ('stricter', 'mixed')) AS is_stricter,
            bool_or(class IN ('looser', 'mixed')) AS is_looser,
            CASE
                WHEN bool_or(class IS NULL) THEN 'not compared'
                WHEN is_stricter AND is_looser THEN 'mixed'
                WHEN bool_or(class = 'undecided') THEN 'undecided'
                WHEN is_stricter THEN 'stricter'
                WHEN is_looser THEN 'looser'
                ELSE 'nothing'
            END AS part,
            domain AS domains, (hash(domain) >> 1)::BIGINT AS cluster, 1.0 AS weight,
            'edits of this kind' AS population, 'edit' AS unit
        FROM edits_compared('changes', by_dialect)
        GROUP BY number, access_before, access_after, domain
    )
    SELECT
        stratum AS kind, part AS effect, hosts AS edits, share AS pct_of_edits, pct_low, pct_high, domains,
        n, n_domains, population, unit, all_crawls() AS all_crawls,
        if(effect = 'not compared', 'run robostat diff on the dataset, with --dialect if not rfc9309', note) AS note
    FROM summed_shares('population', 'population', distinct_of := ['domains']) AS shares
    JOIN (SELECT stratum, count(DISTINCT domains) AS n_domains FROM population GROUP BY ALL) USING (stratum)
    ORDER BY n DESC, kind, edits DESC, effect;
