-- Where do files cite the text and data mining opt-out of Directive (EU) 2019/790?
--
-- Topic: AI crawlers together.
-- Reproduces: files that cite EU 2019/790 of thunderbit's AI crawler study (275 of the Tranco top 10k).
-- Denominator: hosts of the TLD, each once per crawl, with a file that has rules or other robots.txt lines (n). 95%
--   intervals, with registrable domains as clusters. "all" is every host. by_template: hosts with a file that a
--   platform wrote in part.
-- Parameters: crawl (the last one in time), top (25), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO eu_2019_790(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 25
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT coalesce(url_host_tld, '(address)') AS tld, cluster, hosts, weight, squares, mentions_eu_2019_790 AS cites, platform
        FROM host_files_by('with_file', crawl, "by", weights)
    ),
    shares AS (
        FROM shares_of(
            'SELECT unnest([tld, ''all'']) AS stratum, true AS part, cluster, hosts, weight, squares FROM crawled WHERE cites',
            'SELECT unnest([tld, ''all'']) AS stratum, cluster, hosts, weight, squares FROM crawled',
            'SELECT true AS part'
        )
    ),
    counted AS (
        SELECT
            if(grouping(tld) = 1, 'all', tld) AS tld,
            count(*) AS hosts_with_file,
            count(*) FILTER (cites) AS hosts_citing,
            pct(coalesce(sum(weight) FILTER (cites), 0), sum(weight)) AS pct_of_hosts_with_file,
            count(*) FILTER (cites AND platform IS NOT NULL) AS by_template
        FROM crawled
        GROUP BY GROUPING SETS ((tld), ())
    )
    SELECT
        tld,
        hosts_citing,
        pct_of_hosts_with_file,
        low AS pct_low,
        high AS pct_high,
        by_template,
        hosts_with_file AS n,
        'with_file' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    LEFT JOIN shares ON stratum = tld
    ORDER BY tld = 'all' DESC, hosts_citing DESC, n DESC, tld
    LIMIT top;
