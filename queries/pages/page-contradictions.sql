-- How do robots.txt, headers and pages contradict each other?
--
-- Topic: Pages.
-- Keywords: noindex, robots.txt against noindex, blocked but noindex, conflict, CCBot, pages.
-- Reproduces: nothing published: noindex on a page that Disallow hides is a known mistake without
--   published counts.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). The contradictions are those of the macro contradictions, which lists the pages:
--   unseen_noindex, allowed_not_to_train, header_and_meta, index_and_noindex, signals. A crawler
--   does not fetch what robots.txt keeps it from: of pages behind a Disallow only those are here
--   that another crawler was allowed. Intervals are those of 95 %, with registrable domains as
--   clusters.
-- Parameters: agents (['gptbot', 'claudebot', 'google-extended']: the crawlers for AI training),
--   crawl, by (host: each host weighs 1, in equal parts of its pages; domain; weight), weights.
CREATE OR REPLACE MACRO page_contradictions(
    agents := ['gptbot', 'claudebot', 'google-extended'],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    contradicting AS (
        SELECT population.*, {'contradiction': contradiction, 'product_token': product_token} AS part
        FROM population
        JOIN contradictions(label := crawl, names := known_tokens(agents)) AS found USING (url)
    )
    SELECT
        part.contradiction AS contradiction,
        part.product_token AS product_token,
        pages,
        hosts,
        domains,
        share AS pct_of_pages,
        low AS pct_low,
        high AS pct_high,
        n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(part.product_token, known_crawl(crawl)), note]) AS note
    FROM page_shares('contradicting', 'population') AS shares
    ORDER BY contradiction, pages DESC, product_token;
