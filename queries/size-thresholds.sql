-- How many files are large, by bytes, lines, rules, agents or sitemaps?
--
-- Topic: Size and structure.
-- Reproduces: files of at least 5, 20 and 100 KB, 100 and 1,000 rules, 50 and 100 agents of thunderbit's
--   robots.txt study; files over 500 KiB of the Web Almanac (SEO chapter).
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines (n). KB
--   are 1,000 bytes, KiB 1,024. 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO size_thresholds(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH thresholds(position, measure, at_least) AS (VALUES
        (1, 'bytes', '5 KB'), (2, 'bytes', '20 KB'), (3, 'bytes', '100 KB'), (4, 'bytes', 'over 500 KiB'),
        (5, 'lines', '100'), (6, 'lines', '500'), (7, 'lines', '1,000'), (8, 'lines', '10,000'),
        (9, 'rules', '1'), (10, 'rules', '10'), (11, 'rules', '100'), (12, 'rules', '1,000'), (13, 'rules', '10,000'),
        (14, 'agents', '2'), (15, 'agents', '10'), (16, 'agents', '50'), (17, 'agents', '100'),
        (18, 'sitemaps', '1'), (19, 'sitemaps', '2'), (20, 'sitemaps', '51'), (21, 'sitemaps', '1,001')
    ),
    -- Of each measure how many thresholds are reached: hosts of few kinds.
    of_clusters AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            cluster,
            CASE WHEN content_length > 512000 THEN 4 WHEN content_length >= 100000 THEN 3 WHEN content_length >= 20000 THEN 2
                WHEN content_length >= 5000 THEN 1 ELSE 0 END AS bytes,
            CASE WHEN n_lines >= 10000 THEN 4 WHEN n_lines >= 1000 THEN 3 WHEN n_lines >= 500 THEN 2
                WHEN n_lines >= 100 THEN 1 ELSE 0 END AS lines,
            CASE WHEN n_allow + n_disallow >= 10000 THEN 5 WHEN n_allow + n_disallow >= 1000 THEN 4
                WHEN n_allow + n_disallow >= 100 THEN 3 WHEN n_allow + n_disallow >= 10 THEN 2
                WHEN n_allow + n_disallow >= 1 THEN 1 ELSE 0 END AS rules,
            CASE WHEN n_agents >= 100 THEN 4 WHEN n_agents >= 50 THEN 3 WHEN n_agents >= 10 THEN 2
                WHEN n_agents >= 2 THEN 1 ELSE 0 END AS agents,
            CASE WHEN n_sitemaps >= 1001 THEN 4 WHEN n_sitemaps >= 51 THEN 3 WHEN n_sitemaps >= 2 THEN 2
                WHEN n_sitemaps >= 1 THEN 1 ELSE 0 END AS sitemaps,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares,
            max(content_length) AS most_bytes,
            max(n_lines) AS most_lines,
            max(n_allow + n_disallow) AS most_rules,
            max(n_agents) AS most_agents,
            max(n_sitemaps) AS most_sitemaps
        FROM host_files_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    reaching AS MATERIALIZED (
        SELECT
            stratum,
            unnest(
                range(1, 1 + bytes) || range(5, 5 + lines) || range(9, 9 + rules) || range(14, 14 + agents)
                || range(18, 18 + sitemaps)
            ) AS part,
            cluster,
            hosts,
            weight,
            squares
        FROM of_clusters
    ),
    counted AS (
        SELECT part, sum(hosts)::BIGINT AS hosts FROM reaching GROUP BY part
    ),
    total AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            MAP {
                'bytes': max(most_bytes), 'lines': max(most_lines), 'rules': max(most_rules), 'agents': max(most_agents),
                'sitemaps': max(most_sitemaps)
            } AS largest
        FROM of_clusters
    )
    SELECT
        measure,
        at_least,
        coalesce(counted.hosts, 0) AS hosts,
        coalesce(share, 0) AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        largest[measure] AS largest,
        n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM thresholds
    JOIN total ON n > 0
    LEFT JOIN counted ON counted.part = position
    LEFT JOIN shares_of('FROM reaching', 'FROM of_clusters', 'SELECT position AS part FROM thresholds') AS shares
        ON shares.part = position
    ORDER BY position;
