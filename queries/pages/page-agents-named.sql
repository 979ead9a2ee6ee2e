-- Which crawlers do pages address by name?
-- Keywords: meta robots, X-Robots-Tag, googlebot meta tag, bots.
-- Reproduces: bots named in robots meta tags and X-Robots-Tag (Web Almanac, SEO chapter).
-- Denominator: HTML pages (n). A page counts for each crawler that it has a rule for (`*`: all crawlers).
--   pages_noindex: pages with noindex or none.
CREATE OR REPLACE MACRO page_agents_named(crawl := NULL, "by" := 'host', weights := NULL, top := 30) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    named AS (
        SELECT
            page_policy_id, product_token AS part,
            bool_or(source = 'header') AS pages_header,
            bool_or(source = 'meta') AS pages_meta,
            bool_or(rule IN ('noindex', 'none')) AS pages_noindex
        FROM page_rules
        WHERE source <> 'http-equiv'
        GROUP BY ALL
    )
    SELECT
        part AS product_token, pages, pages_header, pages_meta, pages_noindex, hosts, domains,
        share AS pct_of_pages, pct_low, pct_high,
        n, population, unit, shares.crawl, joined_notes([announcement_of(part, shares.crawl), note]) AS note
    FROM page_shares('named', 'population', sums := ['pages_header', 'pages_meta', 'pages_noindex']) AS shares
    ORDER BY pct_of_pages DESC, product_token
    LIMIT top;
