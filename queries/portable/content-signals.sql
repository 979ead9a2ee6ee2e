-- Which preferences do hosts state as Content-Signal or Content-Usage? allows is null for answers
-- other than yes and no. n: hosts with a robots.txt. Like content-signals.
SELECT crawl, vocabulary, preference, allows, COUNT(DISTINCT url_host_name) AS hosts, n,
    COUNT(DISTINCT url_host_name) * 1e2 / n AS pct
FROM hosts
JOIN preferences ON preferences.policy_id = hosts.policy_id
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE has_lines GROUP BY crawl) AS population USING (crawl)
WHERE has_lines AND vocabulary IN ('content-signal', 'content-usage') AND preference <> ''
GROUP BY crawl, vocabulary, preference, allows, n
ORDER BY crawl, hosts DESC, vocabulary, preference, allows
