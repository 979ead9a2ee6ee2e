-- Which directives beyond user-agent, allow, disallow and sitemap do robots.txt files use, known to
-- anyone or not?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: the count of unsupported directives in HTTP Archive that underlies the list of Google's parser
--   (2026); use of extensions in thunderbit's study.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n); pages served in its place are left out, or their markup would be counted. 95% intervals,
--   with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (40).
CREATE OR REPLACE MACRO directives(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    crawled AS MATERIALIZED (
        SELECT policy_id, sum(hosts) AS hosts FROM of_clusters GROUP BY policy_id
    ),
    used AS MATERIALIZED (
        SELECT policy_id, directive, value, count(*) AS lines, bool_or(is_known) AS is_known, bool_or(is_typo) AS is_typo
        FROM directives
        SEMI JOIN crawled USING (policy_id)
        GROUP BY ALL
    ),
    most AS MATERIALIZED (
        SELECT
            directive,
            CASE WHEN bool_or(is_known) THEN 'known' WHEN bool_or(is_typo) THEN 'misspelling' ELSE 'unknown' END AS kind,
            sum(hosts)::BIGINT AS hosts,
            sum(lines * hosts)::BIGINT AS lines
        FROM (
            SELECT policy_id, directive, sum(lines) AS lines, bool_or(is_known) AS is_known, bool_or(is_typo) AS is_typo
            FROM used
            GROUP BY ALL
        )
        JOIN crawled USING (policy_id)
        GROUP BY directive
        ORDER BY hosts DESC, directive
        LIMIT top
    ),
    usual AS (
        SELECT directive, arg_min(value, (-lines, value)) AS value
        FROM (
            SELECT directive, value, sum(lines * hosts) AS lines
            FROM used
            SEMI JOIN most USING (directive)
            JOIN crawled USING (policy_id)
            GROUP BY ALL
        )
        GROUP BY directive
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, directive AS part, cluster, hosts, weight, squares
            FROM (SELECT DISTINCT policy_id, directive FROM used SEMI JOIN most USING (directive))
            JOIN of_clusters USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters'
        )
    )
    SELECT
        most.directive,
        kind,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        lines,
        left(usual.value, 40) AS usual_value,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM most
    JOIN usual USING (directive)
    JOIN shares ON part = most.directive
    ORDER BY hosts DESC, most.directive;
