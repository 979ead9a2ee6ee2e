-- Which preferences do hosts state together?
--
-- Topic: Preferences.
-- Reproduces: combinations such as search=yes, ai-train=no of Cloudflare's reports on content signals.
-- Denominator: hosts, each once per crawl, that state some preference of the vocabulary in their robots.txt (n). 95%
--   intervals, with registrable domains as clusters. A combination is all that a host states in it, whoever and
--   whatever path it is for.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (40).
CREATE OR REPLACE MACRO signal_combinations(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
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
    ),
    stating AS MATERIALIZED (
        SELECT vocabulary AS stratum, combination AS part, cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_file', crawl, "by", weights)
        JOIN combined USING (policy_id)
        GROUP BY ALL
    ),
    total AS (
        SELECT stratum, sum(hosts)::BIGINT AS n FROM stating GROUP BY stratum
    ),
    counted AS (
        SELECT stratum, part, sum(hosts)::BIGINT AS hosts, count(DISTINCT policy_id) AS policies FROM stating GROUP BY ALL
    )
    SELECT
        stratum AS vocabulary,
        part AS combination,
        hosts,
        share AS pct_of_hosts_stating,
        low AS pct_low,
        high AS pct_high,
        policies,
        n,
        'stating a preference' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    JOIN total USING (stratum)
    JOIN shares_of('FROM stating', 'FROM stating') USING (stratum, part)
    ORDER BY hosts DESC, vocabulary, combination
    LIMIT top;
