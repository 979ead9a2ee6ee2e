-- What became of the requests for robots.txt? n: hosts. Like status-classes.
SELECT crawl, response_class, COUNT(*) AS hosts, n, COUNT(*) * 1e2 / n AS pct
FROM hosts
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts GROUP BY crawl) AS population USING (crawl)
GROUP BY crawl, response_class, n
ORDER BY crawl, hosts DESC, response_class
