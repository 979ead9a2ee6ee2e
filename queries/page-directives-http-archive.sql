-- What does HTTP Archive's script see of the rules of pages, and what does it lose?
--
-- Topic: Pages.
-- Reproduces: custom_metrics/robots_meta.js of HTTP Archive (as of 2026), on which the Web Almanac's SEO
--   chapter rests: of headers only those that begin with the name of one of eight bots; of several tags, or
--   headers, of one bot the last; fifteen rules, without noai, noimageai and all; a page is followable only
--   if it is indexable too.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). found is header or meta; rule is a rule, any of them, or not_indexable (noindex, none) and
--   not_followable (nofollow, none; with the script also noindex). pages_published is what the script
--   counts, of the page as it was sent; pages what there is, for whichever crawler. pct_almanac_2025 is what
--   the Web Almanac 2025 published (SEO, "Robots directives", mobile, rendered pages); its shares of single
--   rules are not of all pages, as index (59.3) is on more than any (47.9). Intervals are those of
--   95 %, of pct_of_pages and of pct_lost (the difference), with registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host: each host weighs 1, in equal parts of its pages;
--   domain; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO page_directives_http_archive(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH weighed AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    placed AS MATERIALIZED (
        SELECT page_policy_id, source AS found, statement_index, field, product_token, rule,
            first_value(product_token) OVER (PARTITION BY page_policy_id, statement_index ORDER BY rule_index) AS bot
        FROM page_rules
        WHERE source IN ('header', 'meta') AND field <> 'robots-tag' AND place IS DISTINCT FROM 'template'
    ),
    -- What the script keeps: a header by the name that it begins with, a tag by its own.
    seen AS (
        SELECT *, if(found = 'meta', field, bot) AS name
        FROM placed
        WHERE product_token = bot
    ),
    last AS (
        SELECT page_policy_id, found, name, max(statement_index) AS statement_index
        FROM seen
        WHERE name IN ('bingbot', 'msnbot', 'google', 'googlebot', 'googlebot-news', 'googleweblight', 'robots', 'otherbot')
        GROUP BY ALL
    ),
    published AS (
        SELECT DISTINCT page_policy_id, found, rule
        FROM seen
        JOIN last USING (page_policy_id, found, name, statement_index)
        WHERE rule IN (
            'noindex', 'index', 'follow', 'none', 'nofollow', 'noarchive', 'nosnippet', 'unavailable_after', 'max-snippet',
            'max-image-preview', 'max-video-preview', 'notranslate', 'noimageindex', 'nocache', 'indexifembedded'
        )
    ),
    counted_both AS (
        SELECT page_policy_id, found, rule, true AS is_published, false AS is_right FROM published
        UNION ALL
        SELECT page_policy_id, found, 'not_indexable', true, false FROM published WHERE rule IN ('noindex', 'none')
        UNION ALL
        SELECT page_policy_id, found, 'not_followable', true, false
        FROM published WHERE rule IN ('noindex', 'none', 'nofollow')
        UNION ALL
        SELECT page_policy_id, found, 'any', true, false FROM published
        UNION ALL
        SELECT page_policy_id, found, 'any', false, true FROM placed
        UNION ALL
        SELECT page_policy_id, found, rule, false, true FROM placed
        UNION ALL
        SELECT page_policy_id, found, 'not_indexable', false, true FROM placed WHERE rule IN ('noindex', 'none')
        UNION ALL
        SELECT page_policy_id, found, 'not_followable', false, true FROM placed WHERE rule IN ('nofollow', 'none')
    ),
    said AS MATERIALIZED (
        SELECT
            page_policy_id,
            found,
            rule,
            concat_ws(' ', found, rule) AS part,
            bool_or(is_published) AS is_published,
            bool_or(is_right) AS is_right
        FROM counted_both
        GROUP BY ALL
    ),
    counted AS MATERIALIZED (SELECT * FROM weighed JOIN said USING (page_policy_id)),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, weight, squares FROM counted WHERE is_right',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed',
            'SELECT part FROM said'
        )
    ),
    shares_lost AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, weight, squares FROM counted WHERE is_right AND NOT is_published',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed',
            'SELECT part FROM said'
        )
    ),
    almanac AS (
        FROM (
            VALUES
                ('header', 'any', 0.7),
                ('meta', 'any', 47.9),
                ('meta', 'follow', 60.5),
                ('meta', 'index', 59.3),
                ('meta', 'nofollow', 2.8),
                ('meta', 'noindex', 2.4),
                ('meta', 'max-image-preview', 2.8),
                ('meta', 'max-snippet', 1.1),
                ('meta', 'max-video-preview', 0.8),
                ('meta', 'noarchive', 1.8),
                ('meta', 'nosnippet', 0.1),
                ('meta', 'notranslate', 0.0)
        ) AS published_shares(found, rule, pct)
    ),
    total AS (SELECT sum(pages)::BIGINT AS n, sum(weight) AS w FROM weighed)
    SELECT
        counted.found,
        counted.rule,
        coalesce(sum(pages) FILTER (is_right), 0)::BIGINT AS pages,
        coalesce(sum(pages) FILTER (is_published), 0)::BIGINT AS pages_published,
        coalesce(sum(pages) FILTER (is_right AND NOT is_published), 0)::BIGINT AS pages_lost,
        coalesce(sum(pages) FILTER (is_published AND NOT is_right), 0)::BIGINT AS pages_too_many,
        pct(coalesce(sum(weight) FILTER (is_published), 0), any_value(w)) AS pct_published,
        coalesce(any_value(shares.share), 0.0) AS pct_of_pages,
        any_value(shares.low) AS pct_low,
        any_value(shares.high) AS pct_high,
        coalesce(any_value(shares_lost.share), 0.0) AS pct_lost,
        any_value(shares_lost.low) AS pct_lost_low,
        any_value(shares_lost.high) AS pct_lost_high,
        any_value(almanac.pct)::DOUBLE AS pct_almanac_2025,
        any_value(n) AS n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(shares.note) AS note
    FROM counted
    CROSS JOIN total
    LEFT JOIN shares ON shares.part = counted.part
    LEFT JOIN shares_lost ON shares_lost.part = counted.part
    LEFT JOIN almanac ON almanac.found = counted.found AND almanac.rule = counted.rule
    GROUP BY counted.found, counted.rule
    ORDER BY counted.found, counted.rule = 'any' DESC, pages DESC, counted.rule;
