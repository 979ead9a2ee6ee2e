-- Which rules of pages does HTTP Archive's script see, and which does it lose?
-- Keywords: meta robots, Web Almanac, noindex, replication, method.
-- Reproduces: custom_metrics/robots_meta.js of HTTP Archive (as of 2026), which the Web Almanac's SEO chapter uses. It
--   reads only headers that begin with the name of one of eight bots, only the last of several tags or headers of a
--   bot, and only fifteen rules, and it takes noindex for nofollow too. pct_almanac_2025: the published share (mobile,
--   rendered pages); shares of single rules are not shares of all pages.
-- Denominator: HTML pages (n). rule: a rule, any, not_indexable (noindex, none) or not_followable (nofollow, none).
--   pages_published: pages that the script counts; pages: pages with the rule; pages_lost: pages with it that the
--   script misses; pages_too_many: pages without it that the script counts.
CREATE OR REPLACE MACRO page_directives_http_archive(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    stated AS MATERIALIZED (
        SELECT page_policy_id, source AS found, statement_index, field, product_token, rule,
            first_value(product_token) OVER (PARTITION BY page_policy_id, statement_index ORDER BY rule_index) AS bot
        FROM page_rules
        WHERE source IN ('header', 'meta') AND field <> 'robots-tag' AND place IS DISTINCT FROM 'template'
    ),
    -- The script records a header under the name at its start, and a tag under its own name; the last of each name
    -- counts.
    published AS (
        SELECT page_policy_id, found, rule, if(found = 'meta', field, bot) AS name
        FROM stated
        WHERE product_token = bot
            AND name IN (
                'bingbot', 'msnbot', 'google', 'googlebot', 'googlebot-news', 'googleweblight', 'robots', 'otherbot'
            )
        QUALIFY statement_index = max(statement_index) OVER (PARTITION BY page_policy_id, found, name)
            AND rule IN (
                'noindex', 'index', 'follow', 'none', 'nofollow', 'noarchive', 'nosnippet', 'unavailable_after',
                'max-snippet', 'max-image-preview', 'max-video-preview', 'notranslate', 'noimageindex', 'nocache',
                'indexifembedded'
            )
    ),
    rules AS (
        SELECT page_policy_id, found, rule, false AS is_published FROM stated
        UNION ALL
        SELECT page_policy_id, found, rule, true FROM published
    ),
    parts_of_policies AS (
        SELECT
            page_policy_id, {'found': found, 'rule': part_of_rule} AS part,
            bool_or(NOT is_published) AS there, bool_or(is_published) AS published, there AND NOT published AS lost
        FROM (SELECT *, unnest([
            rule, 'any', if(rule IN ('noindex', 'none'), 'not_indexable', NULL),
            if(rule IN ('nofollow', 'none') OR is_published AND rule = 'noindex', 'not_followable', NULL)
        ]) AS part_of_rule FROM rules)
        WHERE part_of_rule IS NOT NULL
        GROUP BY page_policy_id, part
    ),
    stating AS (FROM population JOIN parts_of_policies USING (page_policy_id)),
    almanac(found, rule, pct) AS (
        VALUES ('header', 'any', 0.7), ('meta', 'any', 47.9), ('meta', 'follow', 60.5), ('meta', 'index', 59.3),
            ('meta', 'nofollow', 2.8), ('meta', 'noindex', 2.4), ('meta', 'max-image-preview', 2.8),
            ('meta', 'max-snippet', 1.1), ('meta', 'max-video-preview', 0.8), ('meta', 'noarchive', 1.8),
            ('meta', 'nosnippet', 0.1), ('meta', 'notranslate', 0.0)
    )
    SELECT
        part.found AS found, part.rule AS rule,
        there.hosts AS pages, published.hosts AS pages_published, lost.hosts AS pages_lost,
        published.hosts + lost.hosts - there.hosts AS pages_too_many,
        published.share AS pct_published, there.share AS pct_of_pages, there.low AS pct_low, there.high AS pct_high,
        lost.share AS pct_lost, lost.low AS pct_lost_low, lost.high AS pct_lost_high,
        almanac.pct::DOUBLE AS pct_almanac_2025,
        n, population, unit, shares.crawl, there.note
    FROM (
        SELECT *, found['there'] AS there, found['published'] AS published, found['lost'] AS lost
        FROM shares_of_answers('stating', 'population', ['there', 'published', 'lost'])
    ) AS shares
    LEFT JOIN almanac ON almanac.found = part.found AND almanac.rule = part.rule
    ORDER BY part.found, part.rule = 'any' DESC, pages DESC, part.rule;
