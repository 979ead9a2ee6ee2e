-- How many hosts let Google in and keep all other crawlers out?
-- Keywords: let Google in but not others, only Google, Googlebot only, exclusive, monopoly, other search engines.
-- Reproduces: hosts that favour Google over all other search engines (Sun et al., WWW 2007).
-- Denominator: hosts that gave a usable answer (n), each in one row. A crawler is kept out if no path is allowed to
--   it. Google only: no crawler of google is kept out, but all of others are; others only: a crawler of google is kept
--   out, but a crawler of others is not. search-without-training lists such hosts by name.
-- Parameters: google, others: lists of crawlers; `*` is every crawler that a file does not name.
CREATE OR REPLACE MACRO hosts_only_google(
    google := ['googlebot'], others := ['*', 'bingbot', 'duckduckbot', 'yandexbot', 'gptbot', 'ccbot', 'claudebot'],
    crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights)),
    blocking AS (
        SELECT
            policy_id,
            bool_or(list_contains(known_tokens(google), product_token)) AS blocks_google,
            count(*) FILTER (list_contains(known_tokens(others), product_token)) AS others_blocked
        FROM blocking_policies(list_distinct(known_tokens(google) || known_tokens(others)))
        GROUP BY policy_id
    ),
    counted AS (
        SELECT
            population.*,
            CASE
                WHEN coalesce(others_blocked, 0) < len(known_tokens(others)) THEN
                    if(blocks_google, 'others only', 'Google and others')
                ELSE if(blocks_google, 'neither', 'Google only')
            END AS part
        FROM population LEFT JOIN blocking USING (policy_id)
    ),
    answers(position, part) AS (VALUES (1, 'Google only'), (2, 'Google and others'), (3, 'others only'), (4, 'neither'))
    SELECT
        part AS let_in, hosts, share AS pct_of_hosts, pct_low, pct_high, n, population, unit, shares.crawl, note
    FROM shares('counted', 'population', 'answers') AS shares JOIN answers USING (part)
    ORDER BY position;
