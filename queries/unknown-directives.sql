-- Which directives do hosts write that no crawler or proposal is known to read?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: most used unknown directives of HTTP Archive, from which the list of unsupported tags of
--   Google's parser was made (2026).
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
--   95% intervals, with registrable domains as clusters.
--   Evident misspellings of known directives are left out (see misspellings.sql).
-- Parameters: crawl (the last one in time), top (50), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO unknown_directives(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 50
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    crawled AS MATERIALIZED (
        SELECT policy_id, sum(hosts) AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY policy_id
    ),
    used AS MATERIALIZED (
        SELECT policy_id, directive, count(*) AS lines, min(value) AS value
        FROM directives SEMI JOIN crawled USING (policy_id)
        WHERE NOT is_known AND NOT is_typo
        GROUP BY ALL
    ),
    most AS MATERIALIZED (
        SELECT
            directive,
            sum(hosts)::BIGINT AS hosts,
            count(*) AS policies,
            sum(lines * hosts)::BIGINT AS lines,
            left(min(value), 40) AS a_value
        FROM used
        JOIN crawled USING (policy_id)
        GROUP BY directive
        ORDER BY hosts DESC, directive
        LIMIT top
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, directive AS part, cluster, hosts, weight, squares
            FROM used SEMI JOIN most USING (directive) JOIN of_clusters USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters'
        )
    )
    SELECT
        directive,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        policies,
        lines,
        a_value,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM most
    JOIN shares ON part = directive
    ORDER BY hosts DESC, directive;
