-- What do hosts signal about use of their content?
--
-- Topic: Preferences.
-- Keywords: Cloudflare, ai-train, ai-input, search, Content-Signal, consent.
-- Reproduces: Content-Signal and managed robots.txt of Cloudflare's reports (search=yes,
--   ai-train=no); Content-Signal in thunderbit's study; AIPREF's Content-Usage.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. A
--   host counts once for each vocabulary, preference and answer, in whichever group or for
--   whichever path; allowed and denied are what the vocabulary's value means, immediate, reference
--   and full the levels of Content-Signal's use, unclear any other value. hosts_by_template: those
--   for which only a platform's lines say it.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO content_signals(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM host_files_by('with_file', crawl, "by", weights)),
    said AS MATERIALIZED (
        SELECT DISTINCT
            policy_id,
            {
                'vocabulary': vocabulary,
                'preference': preference,
                'answer': CASE allows
                    WHEN true THEN 'allowed' WHEN false THEN 'denied' ELSE coalesce(level, 'unclear')
                END
            } AS part
        FROM preferences
        WHERE vocabulary IN ('content-signal', 'content-usage') AND preference <> ''
    ),
    stating AS MATERIALIZED (
        SELECT population.*, said.part, own.policy_id IS NULL AS by_template
        FROM population
        JOIN said USING (policy_id)
        LEFT JOIN said AS own ON own.policy_id = owner_policy_id AND own.part = said.part
    ),
    counted AS (
        SELECT part, count(*) FILTER (by_template) AS hosts_by_template, count(DISTINCT policy_id) AS policies
        FROM stating
        GROUP BY part
    )
    SELECT
        part.vocabulary AS vocabulary,
        part.preference AS preference,
        part.answer AS answer,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        hosts_by_template,
        policies,
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM shares('stating', 'population') AS shares
    JOIN counted USING (part)
    ORDER BY hosts DESC, vocabulary, preference, answer;
