-- Which crawlers do pages speak to by name?
--
-- Topic: Pages.
-- Keywords: meta robots, X-Robots-Tag, googlebot meta tag, bots.
-- Reproduces: bots named in robots meta tags and X-Robots-Tag of the Web Almanac (SEO chapter).
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). A page counts once for each crawler that a rule of it speaks to, `*` for all;
--   pages_noindex: those with a noindex or none for it. Intervals are those of 95 %, with
--   registrable domains as clusters.
-- Parameters: crawl, by (host: each host weighs 1, in equal parts of its pages; domain; weight),
--   weights, top (30).
CREATE OR REPLACE MACRO page_agents_named(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    said AS (
        SELECT
            page_policy_id,
            product_token AS part,
            bool_or(source = 'header') AS in_header,
            bool_or(source = 'meta') AS in_meta,
            bool_or(rule IN ('noindex', 'none')) AS is_noindex
        FROM page_rules
        WHERE source <> 'http-equiv'
        GROUP BY ALL
    ),
    speaking AS MATERIALIZED (
        FROM population JOIN said USING (page_policy_id)
    ),
    counts AS (
        SELECT
            part,
            count(*) FILTER (in_header) AS pages_header,
            count(*) FILTER (in_meta) AS pages_meta,
            count(*) FILTER (is_noindex) AS pages_noindex
        FROM speaking
        GROUP BY part
    )
    SELECT
        part AS product_token,
        pages,
        pages_header,
        pages_meta,
        pages_noindex,
        hosts,
        domains,
        share AS pct_of_pages,
        low AS pct_low,
        high AS pct_high,
        n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(part, known_crawl(crawl)), note]) AS note
    FROM page_shares('speaking', 'population') AS shares
    JOIN counts USING (part)
    ORDER BY pct_of_pages DESC, product_token
    LIMIT top;
