-- How many top sites have a robots.txt with rules, in the classes and columns of Common Crawl?
-- Keywords: published, comparison, Common Crawl, replication, status, top-k, ranks.
-- Reproduces: robotstxt-status-counts-topk.csv of Common Crawl's robots.txt experiments; for every crawl, use
--   --each-crawl.
-- Denominator: the listed sites that rank at most top-k, captured or not, in the classes of status-classes-by-rank.
--   Common Crawl judges by MIME type, this query by content. dt: the median day of the captures, where Common Crawl has
--   the Monday of the week.
-- Unit: domains of the list. Intervals: none; every domain of the list is counted.
CREATE OR REPLACE MACRO common_crawl_status(
    crawl := NULL, ranks := NULL, tops := [1000, 10000, 50000, 100000, 1000000]
) AS TABLE
    SELECT
        known_crawl(crawl) AS crawl,
        if(top % 1000000 = 0, (top // 1000000) || 'M', if(top % 1000 = 0, (top // 1000) || 'k', top::VARCHAR)) AS "top-k",
        not_captured AS "No robots.txt capture", forbidden AS "HTTP forbidden", "defer" AS "HTTP defer visits",
        allow_all AS "HTTP allow all", unresolved AS "HTTP redirect not resolved",
        not_robotstxt AS "MIME not a robots.txt", no_rules AS "Robots.txt no rules", with_rules AS "Robots.txt with rules",
        (SELECT median_day FROM crawls WHERE label = known_crawl(crawl)) AS dt
    FROM (SELECT unnest(tops) AS top, generate_subscripts(tops, 1) AS place)
    JOIN ranked_status_classes(crawl, ranks, tops) AS classes ON stratum = 'top ' || top
    ORDER BY place;
