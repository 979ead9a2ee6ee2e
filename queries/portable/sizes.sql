-- How large is a robots.txt with rules, in bytes? n: hosts with rules. Like size-quantiles.
SELECT crawl, n, AVG(content_length) AS mean,
    MAX(CASE WHEN position * 2 < n + 2 THEN content_length END) AS median,
    MAX(CASE WHEN position * 10 < n * 9 + 10 THEN content_length END) AS p90,
    MAX(content_length) AS largest
FROM (
    SELECT crawl, content_length, COUNT(*) OVER (PARTITION BY crawl) AS n,
        ROW_NUMBER() OVER (PARTITION BY crawl ORDER BY content_length) AS position
    FROM hosts
    JOIN files ON files.file_id = hosts.file_id
    WHERE has_rules
) AS measured
GROUP BY crawl, n
ORDER BY crawl
