-- What does HTTP Archive's script see of the rules of pages, and what does it lose?
--
-- Topic: Pages.
-- Keywords: meta robots, Web Almanac, noindex, replication, method.
-- Reproduces: custom_metrics/robots_meta.js of HTTP Archive (as of 2026), on which the Web
--   Almanac's SEO chapter rests: of headers only those that begin with the name of one of eight
--   bots; of several tags, or headers, of one bot the last; fifteen rules, without noai, noimageai
--   and all; a page is followable only if it is indexable too.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). found is header or meta; rule is a rule, any of them, or not_indexable (noindex, none)
--   and not_followable (nofollow, none; with the script also noindex). pages_published is what the
--   script counts, of the page as it was sent; pages what there is, for whichever crawler.
--   pct_almanac_2025 is what the Web Almanac 2025 published (SEO, "Robots directives", mobile,
--   rendered pages); its shares of single rules are not of all pages, as index (59.3) is on more
--   than any (47.9). Intervals are those of 95 %, of pct_of_pages and of pct_lost (the difference),
--   with registrable domains as clusters.
-- Parameters: crawl, by (host: each host weighs 1, in equal parts of its pages; domain; weight),
--   weights.
CREATE OR REPLACE MACRO page_directives_http_archive(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    placed AS MATERIALIZED (
        SELECT page_policy_id, source AS found, statement_index, field, product_token, rule,
            first_value(product_token) OVER (PARTITION BY page_policy_id, statement_index ORDER BY rule_index) AS bot
        FROM page_rules
        WHERE source IN ('header', 'meta') AND field <> 'robots-tag' AND place IS DISTINCT FROM 'template'
    ),
    -- What the script keeps: a header by the name that it begins with, a tag by its own; the last of each.
    published AS (
        SELECT page_policy_id, found, rule, if(found = 'meta', field, bot) AS name
        FROM placed
        WHERE product_token = bot
            AND name IN ('bingbot', 'msnbot', 'google', 'googlebot', 'googlebot-news', 'googleweblight', 'robots', 'otherbot')
        QUALIFY statement_index = max(statement_index) OVER (PARTITION BY page_policy_id, found, name)
            AND rule IN (
                'noindex', 'index', 'follow', 'none', 'nofollow', 'noarchive', 'nosnippet', 'unavailable_after',
                'max-snippet', 'max-image-preview', 'max-video-preview', 'notranslate', 'noimageindex', 'nocache',
                'indexifembedded'
            )
    ),
    read AS (
        SELECT page_policy_id, found, rule, unnest([rule, 'any',
            if(rule IN ('noindex', 'none'), 'not_indexable', NULL),
            if(rule IN ('nofollow', 'none'), 'not_followable', NULL)]) AS says, false AS is_published
        FROM placed
        UNION ALL
        SELECT page_policy_id, found, rule, unnest([rule, 'any',
            if(rule IN ('noindex', 'none'), 'not_indexable', NULL),
            if(rule IN ('nofollow', 'none', 'noindex'), 'not_followable', NULL)]), true
        FROM published
    ),
    pages_read AS MATERIALIZED (
        SELECT population.*, part, is_published, is_there
        FROM population
        JOIN (
            SELECT
                page_policy_id,
                {'found': found, 'rule': says} AS part,
                bool_or(is_published) AS is_published,
                bool_or(NOT is_published) AS is_there
            FROM read
            WHERE says IS NOT NULL
            GROUP BY ALL
        ) USING (page_policy_id)
    ),
    parts_read AS (SELECT DISTINCT part FROM pages_read),
    there AS (FROM pages_read WHERE is_there),
    shown AS (FROM pages_read WHERE is_published),
    lost AS (FROM pages_read WHERE is_there AND NOT is_published),
    almanac(found, rule, pct) AS (
        VALUES ('header', 'any', 0.7), ('meta', 'any', 47.9), ('meta', 'follow', 60.5), ('meta', 'index', 59.3),
            ('meta', 'nofollow', 2.8), ('meta', 'noindex', 2.4), ('meta', 'max-image-preview', 2.8),
            ('meta', 'max-snippet', 1.1), ('meta', 'max-video-preview', 0.8), ('meta', 'noarchive', 1.8),
            ('meta', 'nosnippet', 0.1), ('meta', 'notranslate', 0.0)
    )
    SELECT
        part.found AS found,
        part.rule AS rule,
        pages.hosts AS pages,
        pages_shown.hosts AS pages_published,
        pages_lost.hosts AS pages_lost,
        pages_shown.hosts + pages_lost.hosts - pages.hosts AS pages_too_many,
        pages_shown.share AS pct_published,
        pages.share AS pct_of_pages,
        pages.low AS pct_low,
        pages.high AS pct_high,
        pages_lost.share AS pct_lost,
        pages_lost.low AS pct_lost_low,
        pages_lost.high AS pct_lost_high,
        almanac.pct::DOUBLE AS pct_almanac_2025,
        pages.n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        pages.note
    FROM shares('there', 'population', 'parts_read') AS pages
    JOIN shares('shown', 'population', 'parts_read') AS pages_shown USING (part)
    JOIN shares('lost', 'population', 'parts_read') AS pages_lost USING (part)
    LEFT JOIN almanac ON almanac.found = part.found AND almanac.rule = part.rule
    ORDER BY part.found, part.rule = 'any' DESC, pages.hosts DESC, part.rule;
