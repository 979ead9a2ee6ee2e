-- How do pages say that they are not for AI training?
--
-- Topic: Pages.
-- Reproduces: noai and noimageai of "Somesite I Used To Crawl" (IMC 2025); TDM reservations in pages.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). A page counts once for each way: noai, noimageai, tdm-reservation, content-usage and
--   content-signal (where they deny training), noarchive and nocache. any is a refusal to AI training in so
--   many words: one of those but noimageai, noarchive and nocache. The last two limit the copies that search
--   engines show; only Bing reads them as limits on AI too. Intervals are those of 95 %, with registrable
--   domains as clusters.
-- Parameters: crawl (the last one in time), by (host: each host weighs 1, in equal parts of its pages;
--   domain; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO page_training(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH weighed AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    ways AS MATERIALIZED (
        SELECT page_policy_id, rule AS way, source = 'header' AS in_header
        FROM page_rules
        WHERE rule IN ('noai', 'noimageai', 'noarchive', 'nocache') AND source <> 'http-equiv'
        UNION ALL
        SELECT page_policy_id, if(vocabulary = 'tdm', preference, vocabulary), source = 'header'
        FROM page_preferences
        WHERE NOT allows AND preference IN ('tdm-reservation', 'train-ai', 'ai-train')
    ),
    said AS (
        SELECT page_policy_id, way, bool_or(in_header) AS in_header FROM ways GROUP BY ALL
        UNION ALL
        SELECT page_policy_id, 'any', bool_or(in_header) FROM ways
        WHERE way NOT IN ('noimageai', 'noarchive', 'nocache')
        GROUP BY ALL
    ),
    counted AS MATERIALIZED (SELECT * FROM weighed JOIN said USING (page_policy_id)),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, way AS part, cluster, weight, squares FROM counted',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed'
        )
    )
    SELECT
        way,
        sum(pages)::BIGINT AS pages,
        coalesce(sum(pages) FILTER (in_header), 0)::BIGINT AS pages_header,
        count(DISTINCT url_host_name) AS hosts,
        count(DISTINCT domain) AS domains,
        any_value(share) AS pct_of_pages,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        (SELECT sum(pages) FROM weighed)::BIGINT AS n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM counted
    JOIN shares ON part = way
    GROUP BY way
    ORDER BY way = 'any', pages DESC, way;
