-- Which preferences do hosts state together?
--
-- Topic: Preferences.
-- Reproduces: combinations such as search=yes, ai-train=no of Cloudflare's reports on content signals.
-- Denominator: hosts, each once per crawl, that state some preference of the vocabulary in their
--   robots.txt. A combination is all that a host states in it, whoever and whatever path it is for.
-- Parameters: crawl (the last one, by label), top (40).
CREATE OR REPLACE MACRO signal_combinations(crawl VARCHAR := NULL, top INTEGER := 40) AS TABLE
    WITH combined AS (
        SELECT
            policy_id,
            vocabulary,
            -- Links differ from host to host; what they are is enough.
            string_agg(DISTINCT
                if(allows IS NULL AND contains(value, '/'), preference, preference || '=' || lower(value)), ', '
                ORDER BY if(allows IS NULL AND contains(value, '/'), preference, preference || '=' || lower(value))
            ) AS combination
        FROM preferences
        WHERE preference <> ''
        GROUP BY ALL
    )
    SELECT
        vocabulary,
        combination,
        count(*) AS hosts,
        pct(count(*), sum(count(*)) OVER (PARTITION BY vocabulary)) AS pct_of_hosts_stating,
        count(DISTINCT policy_id) AS policies,
        population_size('with_file', crawl) AS n,
        'with_file' AS population
    FROM hosts_in('with_file', crawl)
    JOIN combined USING (policy_id)
    GROUP BY vocabulary, combination
    ORDER BY hosts DESC, vocabulary, combination
    LIMIT top;
