-- Which rules do pages state for robots, and where?
-- Keywords: meta robots, X-Robots-Tag, noindex, nofollow, nosnippet, tags.
-- Reproduces: robots directives (Web Almanac), including those that its script loses (page-directives-http-archive).
-- Denominator: HTML pages (n), each once per rule, for whichever crawler; in shares, a host's pages together weigh 1.
--   pages_misplaced: meta tags in the body or in a template (not in WAT).
CREATE OR REPLACE MACRO page_directives(crawl := NULL, "by" := 'host', weights := NULL, top := 40) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    rules AS (
        SELECT
            page_policy_id, rule AS part,
            bool_or(is_known) AS pages_known,
            bool_or(source = 'header') AS pages_header,
            bool_or(source = 'meta') AS pages_meta,
            bool_or(place IN ('body', 'template')) AS pages_misplaced
        FROM page_rules
        WHERE source <> 'http-equiv'
        GROUP BY ALL
    )
    SELECT
        part AS rule, pages_known > 0 AS is_known, pages, pages_header, pages_meta, pages_misplaced, hosts, domains,
        share AS pct_of_pages, pct_low, pct_high, n, population, unit, shares.crawl, note
    FROM page_shares(
        'rules', 'population', sums := ['pages_known', 'pages_header', 'pages_meta', 'pages_misplaced']
    ) AS shares
    ORDER BY pct_of_pages DESC, rule
    LIMIT top;
