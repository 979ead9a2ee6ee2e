-- What do hosts signal about use of their content?
-- Keywords: Cloudflare, ai-train, ai-input, search, Content-Signal, Content-Usage, consent.
-- Reproduces: Content-Signal (Cloudflare's reports; thunderbit's study); AIPREF's Content-Usage.
-- Denominator: hosts with a robots.txt (n). A host counts once for each vocabulary, preference and answer (allowed,
--   denied, a level of use, or unclear), in any group, for any path. hosts_by_template: hosts that state it only in a
--   platform's lines.
CREATE OR REPLACE MACRO content_signals(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM host_files_by('with_file', crawl, "by", weights)),
    signals AS MATERIALIZED (
        SELECT DISTINCT policy_id, {
            'vocabulary': vocabulary,
            'preference': preference,
            'answer': CASE allows WHEN true THEN 'allowed' WHEN false THEN 'denied' ELSE coalesce(level, 'unclear') END
        } AS part
        FROM preferences
        WHERE vocabulary IN ('content-signal', 'content-usage') AND preference <> ''
    ),
    stating AS MATERIALIZED (
        SELECT population.*, signals.part, own.policy_id IS NULL AS by_template
        FROM population
        JOIN signals USING (policy_id)
        LEFT JOIN signals AS own ON own.policy_id = owner_policy_id AND own.part = signals.part
    )
    SELECT
        part.vocabulary AS vocabulary, part.preference AS preference, part.answer AS answer,
        hosts, share AS pct_of_hosts_with_file, pct_low, pct_high,
        by_template AS hosts_by_template, policy_id AS policies, n, population, unit, shares.crawl, note
    FROM summed_shares('stating', 'population', sums := ['by_template'], distinct_of := ['policy_id']) AS shares
    ORDER BY hosts DESC, vocabulary, preference, answer;
