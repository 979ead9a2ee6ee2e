-- In which encodings and with which line ends are files written?
--
-- Topic: Responses.
-- Reproduces: invalid UTF-8 of Common Crawl's sitemap extraction; encodings, byte order marks and line ends
--   as parsers meet them.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines.
--   95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO encodings(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT
            NULL AS stratum,
            encoding || ' ' || line_ending AS part,
            cluster,
            any_value(encoding) AS encoding,
            any_value(line_ending) AS line_ending,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares,
            count(*) FILTER (has_nul) AS with_nul,
            max(max_line_length) AS longest_line_bytes
        FROM host_files_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    counted AS (
        SELECT
            part,
            any_value(encoding) AS encoding,
            any_value(line_ending) AS line_ending,
            sum(hosts)::BIGINT AS hosts,
            sum(with_nul)::BIGINT AS with_nul,
            max(longest_line_bytes) AS longest_line_bytes
        FROM of_clusters
        GROUP BY part
    )
    SELECT
        encoding,
        line_ending,
        hosts,
        share AS pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        with_nul,
        longest_line_bytes,
        sum(hosts) OVER ()::BIGINT AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    JOIN shares_of('FROM of_clusters', 'FROM of_clusters') USING (part)
    ORDER BY hosts DESC, encoding, line_ending;
