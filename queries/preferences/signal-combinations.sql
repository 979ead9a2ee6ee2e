-- Which preferences do hosts state together?
-- Keywords: ai-train, search, ai-input, together, Content-Signal.
-- Reproduces: combinations such as search=yes, ai-train=no (Cloudflare's reports on content signals).
-- Denominator: hosts with a preference of the vocabulary in their robots.txt (n), for any crawler and path.
CREATE OR REPLACE MACRO signal_combinations(crawl := NULL, "by" := 'host', weights := NULL, top := 40) AS TABLE
    WITH combinations AS (
        SELECT policy_id, vocabulary, string_agg(DISTINCT stated, ', ' ORDER BY stated) AS part
        FROM (
            -- Links differ from host to host, so only their kind counts.
            SELECT *, preference || if(allows IS NULL AND contains(value, '/'), '', '=' || lower(value)) AS stated
            FROM preferences
            WHERE preference <> ''
        )
        GROUP BY ALL
    ),
    stating AS MATERIALIZED (
        SELECT hosts.* REPLACE (vocabulary AS stratum), part
        FROM hosts_by('with_file', crawl, "by", weights) AS hosts
        JOIN combinations USING (policy_id)
    )
    SELECT
        stratum AS vocabulary, part AS combination,
        hosts, share AS pct_of_hosts_stating, pct_low, pct_high, policy_id AS policies,
        n, 'stating a preference' AS population, "by" AS unit, known_crawl(crawl) AS crawl, note
    FROM summed_shares('stating', 'stating', distinct_of := ['policy_id']) AS shares
    ORDER BY hosts DESC, vocabulary, combination
    LIMIT top;
