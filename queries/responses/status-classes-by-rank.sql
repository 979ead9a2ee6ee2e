-- Do prominent sites answer requests for robots.txt otherwise than others?
--
-- Keywords: top sites, top 10k, Tranco, popular sites, errors, success, popularity.
-- Reproduces: status classes by top-k of Common Crawl's robots.txt experiments: no capture,
--   forbidden, defer visits, allow all, redirect unresolved, not a robots.txt, no rules, with
--   rules.
-- Denominator: "top N": the domains of the list that rank at most N; "A to B": from A to B; each
--   once by the best of its hosts (its name, with or without www.), captured or not (n). "all":
--   every host captured.
-- Unit: domains of the list, which rank as such; the hosts captured in the row "all".
-- Intervals: none; every domain of the list is counted.
-- Parameters: ranks (needed), tops ([1000, 10000, 50000, 100000, 1000000]: the ranks that strata
--   end at).
CREATE OR REPLACE MACRO status_classes_by_rank(
    crawl VARCHAR := NULL, ranks VARCHAR := NULL, tops BIGINT[] := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    WITH classed AS (
        SELECT
            url_host_name,
            CASE
                WHEN has_rules THEN 'with_rules'
                WHEN response_class = 'success' AND (has_lines OR content_class = 'empty' OR final_status = 204) THEN 'no_rules'
                WHEN response_class = 'success' THEN 'not_robotstxt'
                ELSE response_class
            END AS class
        FROM of_crawl('host_files', crawl)
    ),
    ranked AS (
        SELECT rank, class
        FROM ranks_of(ranks)
        LEFT JOIN (
            SELECT unnest([url_host_name, regexp_replace(url_host_name, '^www\.', '')]) AS domain, class FROM classed
        ) USING (domain)
        QUALIFY row_number() OVER (PARTITION BY domain ORDER BY list_position(
            ['with_rules', 'no_rules', 'not_robotstxt', 'allow_all', 'forbidden', 'defer', 'redirect', 'not_modified'],
            class
        ) NULLS LAST) = 1
    ),
    strata AS (
        SELECT stratum, position, class
        FROM ranked JOIN rank_strata(tops) AS strata ON rank BETWEEN strata.first AND strata.last
        UNION ALL
        SELECT stratum, position, class FROM classed CROSS JOIN rank_strata(tops) WHERE stratum = 'all'
    )
    SELECT
        stratum,
        count(*) FILTER (class IS NULL) AS not_captured,
        count(*) FILTER (class = 'forbidden') AS forbidden,
        count(*) FILTER (class = 'defer') AS defer,
        count(*) FILTER (class = 'allow_all') AS allow_all,
        count(*) FILTER (class IN ('redirect', 'not_modified')) AS unresolved,
        count(*) FILTER (class = 'not_robotstxt') AS not_robotstxt,
        count(*) FILTER (class = 'no_rules') AS no_rules,
        count(*) FILTER (class = 'with_rules') AS with_rules,
        pct(count(*) FILTER (class = 'with_rules'), count(*)) AS pct_with_rules,
        count(*) AS n, if(stratum = 'all', 'captured', 'listed') AS population,
        if(stratum = 'all', 'host', 'domain') AS unit, known_crawl(crawl) AS crawl
    FROM strata
    GROUP BY stratum, position
    ORDER BY position;
