-- What do hosts signal about use of their content?
--
-- Topic: Preferences.
-- Reproduces: Content-Signal and managed robots.txt of Cloudflare's reports (search=yes, ai-train=no);
--   Content-Signal in thunderbit's study; AIPREF's Content-Usage.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. A host
--   counts once for each vocabulary, preference and answer, in whichever group or for whichever path;
--   allowed and denied are what the vocabulary's value means, immediate, reference and full the levels
--   of Content-Signal's use, unclear any other value.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO content_signals(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS (
        SELECT policy_id, is_platform_template, count(*) AS hosts, sum(weight) AS weight FROM hosts_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    said AS (
        SELECT DISTINCT
            policy_id,
            vocabulary,
            preference,
            CASE allows WHEN true THEN 'allowed' WHEN false THEN 'denied' ELSE coalesce(level, 'unclear') END AS answer
        FROM preferences
        WHERE vocabulary IN ('content-signal', 'content-usage') AND preference <> ''
    )
    SELECT
        vocabulary,
        preference,
        answer,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM crawled)) AS pct_of_hosts_with_file,
        coalesce(sum(hosts) FILTER (is_platform_template), 0)::BIGINT AS hosts_by_template,
        count(DISTINCT policy_id) AS policies,
        (SELECT count(*) FROM of_crawl('hosts_with_file', crawl)) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM crawled
    JOIN said USING (policy_id)
    GROUP BY vocabulary, preference, answer
    ORDER BY hosts DESC, vocabulary, preference, answer;
