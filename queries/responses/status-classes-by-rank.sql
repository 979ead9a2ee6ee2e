-- Do prominent sites answer requests for robots.txt differently from others?
-- Keywords: top sites, top 10k, Tranco, popular sites, errors, success, popularity.
-- Reproduces: status classes by top-k (Common Crawl's robots.txt experiments).
-- Denominator: the domains of the list with ranks up to N ("top N") or from A to B ("A to B"), captured or not (n).
--   Each counts once, by the better answer of the hosts of its name with and without www. "all": every host captured.
-- Unit: domains of the list; hosts in the row "all". Intervals: none; every domain of the list is counted.
CREATE OR REPLACE MACRO status_classes_by_rank(
    crawl := NULL, ranks := NULL, tops := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    SELECT
        stratum, not_captured, forbidden, "defer", allow_all, unresolved, not_robotstxt, no_rules, with_rules,
        pct(with_rules, n) AS pct_with_rules,
        n, if(stratum = 'all', 'captured', 'listed') AS population,
        if(stratum = 'all', 'host', 'domain') AS unit, known_crawl(crawl) AS crawl
    FROM ranked_status_classes(crawl, ranks, tops)
    ORDER BY position;
