-- Which keys do authors get wrong, and is the line lost (misspelling) or tolerated? n: hosts with a
-- robots.txt. Like misspellings, without keys that lack a colon.
SELECT crawl, written, kind, COUNT(DISTINCT url_host_name) AS hosts, n,
    COUNT(DISTINCT url_host_name) * 1e2 / n AS pct
FROM hosts
JOIN (
    SELECT file_id, kind, TRIM(REPLACE(LOWER(REGEXP_REPLACE(text, ':.*', '')), CHR(9), ' ')) AS written
    FROM remarks
    WHERE kind IN ('misspelling', 'tolerated_spelling')
) AS misspelt ON misspelt.file_id = hosts.file_id
JOIN (SELECT crawl, COUNT(*) AS n FROM hosts WHERE has_lines GROUP BY crawl) AS population USING (crawl)
WHERE has_lines
GROUP BY crawl, written, kind, n
ORDER BY crawl, hosts DESC, written, kind
