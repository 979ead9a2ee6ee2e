-- Which preferences do hosts state together?
--
-- Reproduces: combinations such as search=yes, ai-train=no of Cloudflare's reports on content signals.
-- Denominator: hosts, each once per crawl, that state some preference of the vocabulary in their
--   robots.txt. A combination is all that a host states in it, whoever and whatever path it is for.
-- Parameters: crawl (the last one, by label), top (40).

SET VARIABLE crawl = coalesce(getvariable('crawl'), (SELECT max(crawl) FROM captures));
SET VARIABLE top = coalesce(getvariable('top'), 40);

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
    count(DISTINCT policy_id) AS policies
FROM hosts
JOIN combined USING (policy_id)
WHERE crawl = getvariable('crawl')
GROUP BY vocabulary, combination
ORDER BY hosts DESC, vocabulary, combination
LIMIT getvariable('top');
