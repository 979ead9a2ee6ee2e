-- What do hosts signal about use of their content?
--
-- Topic: Preferences.
-- Reproduces: Content-Signal and managed robots.txt of Cloudflare's reports (search=yes, ai-train=no);
--   Content-Signal in thunderbit's study; AIPREF's Content-Usage.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines. A host
--   counts once for each vocabulary, preference and answer, in whichever group or for whichever path;
--   allowed and denied are what the vocabulary's value means, immediate, reference and full the levels
--   of Content-Signal's use, unclear any other value. hosts_by_template: those for which only a
--   platform's lines say it. 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO content_signals(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, owner_policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM host_files_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    crawled AS (
        SELECT policy_id, owner_policy_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY ALL
    ),
    said AS MATERIALIZED (
        SELECT DISTINCT
            policy_id,
            vocabulary,
            preference,
            CASE allows WHEN true THEN 'allowed' WHEN false THEN 'denied' ELSE coalesce(level, 'unclear') END AS answer
        FROM preferences
        WHERE vocabulary IN ('content-signal', 'content-usage') AND preference <> ''
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, concat_ws('' '', vocabulary, preference, answer) AS part, cluster, hosts, weight, squares
            FROM said JOIN of_clusters USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters'
        )
    )
    SELECT
        said.vocabulary,
        said.preference,
        said.answer,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), (SELECT sum(weight) FROM of_clusters)) AS pct_of_hosts_with_file,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        coalesce(sum(hosts) FILTER (own.policy_id IS NULL), 0)::BIGINT AS hosts_by_template,
        count(DISTINCT said.policy_id) AS policies,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM crawled
    JOIN said ON said.policy_id = crawled.policy_id
    JOIN shares ON part = concat_ws(' ', said.vocabulary, said.preference, said.answer)
    LEFT JOIN said AS own
        ON own.policy_id = owner_policy_id
        AND own.vocabulary = said.vocabulary
        AND own.preference = said.preference
        AND own.answer = said.answer
    GROUP BY said.vocabulary, said.preference, said.answer
    ORDER BY hosts DESC, said.vocabulary, said.preference, said.answer;
