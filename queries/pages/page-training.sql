-- How do pages say that they are not for AI training?
--
-- Topic: Pages.
-- Keywords: noai, noimageai, opt-out, TDM, meta tag, AI training.
-- Reproduces: noai and noimageai of "Somesite I Used To Crawl" (IMC 2025); TDM reservations in
--   pages.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). A page counts once for each way: noai, noimageai, tdm-reservation, content-usage and
--   content-signal (where they deny training), noarchive and nocache. any is a refusal to AI
--   training in so many words: one of those but noimageai, noarchive and nocache. The last two
--   limit the copies that search engines show; only Bing reads them as limits on AI too. Intervals
--   are those of 95 %, with registrable domains as clusters.
-- Parameters: crawl, by (host: each host weighs 1, in equal parts of its pages; domain; weight),
--   weights.
CREATE OR REPLACE MACRO page_training(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    ways AS (
        SELECT page_policy_id, rule AS way, source = 'header' AS in_header
        FROM page_rules
        WHERE rule IN ('noai', 'noimageai', 'noarchive', 'nocache') AND source <> 'http-equiv'
        UNION ALL
        SELECT page_policy_id, if(vocabulary = 'tdm', preference, vocabulary), source = 'header'
        FROM page_preferences
        WHERE NOT allows AND preference IN ('tdm-reservation', 'train-ai', 'ai-train')
    ),
    said AS (
        SELECT page_policy_id, way AS part, bool_or(in_header) AS in_header FROM ways GROUP BY ALL
        UNION ALL
        SELECT page_policy_id, 'any', bool_or(in_header) FROM ways
        WHERE way NOT IN ('noimageai', 'noarchive', 'nocache')
        GROUP BY ALL
    ),
    refusing AS MATERIALIZED (
        FROM population JOIN said USING (page_policy_id)
    )
    SELECT
        part AS way,
        pages,
        pages_header,
        hosts,
        domains,
        share AS pct_of_pages,
        low AS pct_low,
        high AS pct_high,
        n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM page_shares('refusing', 'population') AS shares
    JOIN (SELECT part, count(*) FILTER (in_header) AS pages_header FROM refusing GROUP BY part) USING (part)
    ORDER BY way = 'any', pages DESC, way;
