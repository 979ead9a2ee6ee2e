-- Which rules do pages state for robots, and where?
--
-- Topic: Pages.
-- Keywords: meta robots, X-Robots-Tag, noindex, nofollow, nosnippet, tags.
-- Reproduces: robots directives of the Web Almanac (SEO chapter, "robots meta tags"), without what
--   its script loses: see page-directives-http-archive.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). A page counts once for each rule, wherever it stands and whomever it speaks to;
--   pages_header, pages_meta and pages_misplaced (meta tags that are not in the head; WAT does not
--   tell, so that its tags all count as in the head) say where. Intervals are those of 95 %, with
--   registrable domains as clusters.
-- Parameters: crawl, by (host: each host weighs 1, in equal parts of its pages; domain; weight),
--   weights, top (40).
CREATE OR REPLACE MACRO page_directives(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    said AS (
        SELECT
            page_policy_id,
            rule AS part,
            bool_or(is_known) AS is_known,
            bool_or(source = 'header') AS in_header,
            bool_or(source = 'meta') AS in_meta,
            bool_or(place <> 'head') AS is_misplaced
        FROM page_rules
        WHERE source <> 'http-equiv'
        GROUP BY ALL
    ),
    stating AS MATERIALIZED (
        FROM population JOIN said USING (page_policy_id)
    ),
    counts AS (
        SELECT
            part,
            bool_or(is_known) AS is_known,
            count(*) FILTER (in_header) AS pages_header,
            count(*) FILTER (in_meta) AS pages_meta,
            count(*) FILTER (is_misplaced) AS pages_misplaced
        FROM stating
        GROUP BY part
    )
    SELECT
        part AS rule,
        is_known,
        pages,
        pages_header,
        pages_meta,
        pages_misplaced,
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
    FROM page_shares('stating', 'population') AS shares
    JOIN counts USING (part)
    ORDER BY pct_of_pages DESC, rule
    LIMIT top;
