-- How do pages say that they are not for AI training?
-- Keywords: noai, noimageai, opt-out, AI opt-out, TDM, meta tag, AI training.
-- Reproduces: noai and noimageai ("Somesite I Used To Crawl", IMC 2025); TDM reservations in pages.
-- Denominator: HTML pages (n). A page counts once for each way. any: the page refuses AI training by noai or a
--   preference. Meta tags with http-equiv or in a template do not count: no crawler is known to obey them. noarchive
--   and nocache limit the copies that search engines show; only Bing reads them as limits on AI too.
CREATE OR REPLACE MACRO page_training(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    ways AS (
        SELECT page_policy_id, rule AS part, source = 'header' AS in_header
        FROM page_rules
        WHERE rule IN ('noai', 'noimageai', 'noarchive', 'nocache')
            AND source <> 'http-equiv' AND place IS DISTINCT FROM 'template'
        UNION ALL
        SELECT page_policy_id, if(vocabulary = 'tdm', preference, vocabulary), source = 'header'
        FROM page_training_preferences
        WHERE NOT allows
    ),
    refusals AS (
        SELECT page_policy_id, part, bool_or(in_header) AS pages_header FROM ways GROUP BY ALL
        UNION ALL
        SELECT page_policy_id, 'any', bool_or(in_header)
        FROM ways WHERE part NOT IN ('noimageai', 'noarchive', 'nocache')
        GROUP BY ALL
    )
    SELECT
        part AS way, pages, pages_header, hosts, domains, share AS pct_of_pages, pct_low, pct_high,
        n, population, unit, shares.crawl, note
    FROM page_shares('refusals', 'population', sums := ['pages_header']) AS shares
    ORDER BY way = 'any', pages DESC, way;
