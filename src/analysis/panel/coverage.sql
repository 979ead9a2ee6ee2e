-- How much of a list of sites was found: the numbers of sites and records in each crawl, and the sites that no crawl
-- has. Variables: sites (the path of the list), crawls (the paths of the records found, one file per crawl, named after
-- it).
WITH found AS MATERIALIZED (
    SELECT parse_filename(filename, true) AS crawl, bare_name(url_host_name) AS domain
    FROM read_parquet(getvariable('crawls'), filename = true, union_by_name = true)
),
crawls AS (SELECT crawl, [count(DISTINCT domain), count(*)] AS counts FROM found GROUP BY crawl),
unfound AS (
    FROM read_csv(getvariable('sites'), header = true, columns = {'domain': 'VARCHAR'})
    ANTI JOIN found USING (domain)
)
SELECT to_json({
    'crawls': (SELECT coalesce(map_from_entries(list((crawl, counts))), MAP {}) FROM crawls),
    'unfound': (SELECT count(*) FROM unfound),
    'first_unfound': (SELECT coalesce(list(domain ORDER BY domain)[:5], []) FROM unfound)
});
