-- Where do files cite the text and data mining opt-out of Directive (EU) 2019/790?
--
-- Topic: AI crawlers together.
-- Reproduces: files that cite EU 2019/790 of thunderbit's AI crawler study (275 of the Tranco top 10k).
-- Denominator: hosts of the TLD, each once per crawl, with a file that has rules or other robots.txt
--   lines. "all" is every host. by_template: those of whose file a platform wrote a part.
-- Parameters: crawl (the last one, by label), top (25), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO eu_2019_790(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 25
) AS TABLE
    SELECT
        if(grouping(url_host_tld) = 1, 'all', coalesce(url_host_tld, '(address)')) AS tld,
        count(*) AS hosts_with_file,
        count(*) FILTER (mentions_eu_2019_790) AS hosts_citing,
        pct(coalesce(sum(weight) FILTER (mentions_eu_2019_790), 0), sum(weight)) AS pct_of_hosts_with_file,
        count(*) FILTER (mentions_eu_2019_790 AND platform IS NOT NULL) AS by_template,
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        "by" AS unit
    FROM host_files_by('with_file', crawl, "by", weights)
    GROUP BY GROUPING SETS ((url_host_tld), ())
    ORDER BY grouping(url_host_tld) DESC, hosts_citing DESC, hosts_with_file DESC, tld
    LIMIT top;
