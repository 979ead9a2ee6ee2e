-- How many hosts announce sitemaps, and how many sitemaps? n: hosts with a robots.txt. Like
-- sitemaps-per-file.
SELECT crawl, COUNT(*) AS n, SUM(n_sitemaps) AS sitemaps, MAX(n_sitemaps) AS most,
    SUM(CASE WHEN n_sitemaps > 0 THEN 1 ELSE 0 END) AS hosts,
    SUM(CASE WHEN n_sitemaps > 0 THEN 1 ELSE 0 END) * 1e2 / COUNT(*) AS pct
FROM hosts
JOIN files ON files.file_id = hosts.file_id
WHERE has_lines
GROUP BY crawl
ORDER BY crawl
