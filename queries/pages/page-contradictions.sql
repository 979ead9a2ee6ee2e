-- How do robots.txt, headers and pages contradict each other?
-- Keywords: conflict, robots.txt against pages, header against meta tag, blocked but noindex.
-- Denominator: HTML pages (n). The view macro contradictions lists the pages and explains the kinds. Pages that
--   robots.txt blocks for a crawler are in the dataset only if another crawler fetched them. agents: crawlers for AI
--   training.
CREATE OR REPLACE MACRO page_contradictions(
    agents := ['gptbot', 'claudebot', 'google-extended'], crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    contradicting AS (
        SELECT url, {'contradiction': contradiction, 'product_token': product_token} AS part
        FROM contradictions(label := crawl, names := agents)
    )
    SELECT
        part.contradiction AS contradiction, part.product_token AS product_token, pages, hosts, domains,
        share AS pct_of_pages, pct_low, pct_high, n, population, unit, shares.crawl,
        joined_notes([announcement_of(part.product_token, shares.crawl), note]) AS note
    FROM page_shares('contradicting', 'population') AS shares
    ORDER BY contradiction, pages DESC, product_token;
