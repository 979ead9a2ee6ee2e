-- On how many hosts do two dialects of the protocol disagree about the root?
-- Keywords: parsers, Google, 1994, RFC 9309, disagreement, interpretation.
-- Denominator: hosts with rules (n). A host counts for a pair of dialects if its file lets some agent (`*`: every agent
--   that it does not name) fetch `/` in one of them but not in the other. files: distinct files of these hosts.
CREATE OR REPLACE MACRO dialects_disagree_on_root(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH dialects(dialect, rank) AS (
        VALUES ('rep1994', 1), ('koster1996', 2), ('conner1996', 3), ('rep2019', 4), ('rfc9309', 5), ('google', 6)
    ),
    pairs AS (
        SELECT {'dialect': a.dialect, 'other': b.dialect} AS part, a.rank, b.rank AS other_rank
        FROM dialects AS a JOIN dialects AS b ON a.rank < b.rank
    ),
    population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    -- For each agent, the dialects that disallow the root.
    verdicts AS (
        SELECT DISTINCT policy_id, root_disallowed_by AS disallowed_by
        FROM agents
        WHERE len(root_disallowed_by) NOT IN (0, (SELECT count(*) FROM dialects))
    ),
    disagreements AS (
        SELECT
            part, policy_id,
            bool_or(list_contains(disallowed_by, part.other)) AS allowed_by_first_only,
            bool_or(list_contains(disallowed_by, part.dialect)) AS allowed_by_other_only
        FROM verdicts
        JOIN pairs ON list_contains(disallowed_by, part.dialect) <> list_contains(disallowed_by, part.other)
        GROUP BY ALL
    )
    SELECT
        part.dialect AS dialect, part.other AS other, hosts, share AS pct_of_hosts_with_rules,
        pct_low, pct_high, file_id AS files, allowed_by_first_only, allowed_by_other_only,
        n, population, unit, shares.crawl, note
    FROM joined_shares(
        'disagreements', 'population', 'pairs',
        sums := ['allowed_by_first_only', 'allowed_by_other_only'], distinct_of := ['file_id']
    ) AS shares
    JOIN pairs USING (part)
    ORDER BY rank, other_rank;
