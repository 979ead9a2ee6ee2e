-- What may crawlers do with pages, by dialect?
-- Keywords: noindex, index, follow, meta robots, allowed, by dialect.
-- Reproduces: pages that are not indexable (Web Almanac, SEO chapter), by what each vendor documents.
-- Denominator: HTML pages (n). For each dialect and crawler, the page's rules for the crawler by name decide, else its
--   rules for all; an action (may_not) that the dialect has no rule about has no row. After its unavailable_after, a
--   page may not be indexed. pages_contradicting: the rules contradict each other, and the dialect does not define
--   which counts.
CREATE OR REPLACE MACRO page_restrictions(
    agents := ['*', 'googlebot', 'googlebot-news', 'bingbot'], crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    meant AS (
        SELECT
            page_policy_id, dialect, product_token, by_name, has_contradiction, unavailable_after,
            may_index AS "index", may_follow AS follow, may_archive AS archive, may_snippet AS snippet, may_train AS train
        FROM effective_page_agents(
            (SELECT list(DISTINCT dialect) FROM page_agents),
            (SELECT list(DISTINCT if(name = '*', name, token_of(name))) FROM (SELECT unnest(names_of(agents)) AS name))
        )
        -- A crawler of one vendor has no verdict by another's rules.
        WHERE product_token = '*' OR dialect IN ('html4', 'repext', 'noai')
            OR (dialect = 'google' AND starts_with(product_token, 'googlebot'))
            OR (dialect = 'bing' AND product_token = 'bingbot')
    ),
    verdicts AS MATERIALIZED (
        SELECT *, {'dialect': dialect, 'product_token': product_token, 'may_not': may_not} AS part
        FROM meant UNPIVOT INCLUDE NULLS (allows FOR may_not IN ("index", follow, archive, snippet, train))
    ),
    judged AS MATERIALIZED (
        SELECT
            url, part, by_name,
            is_indexable(allows, if(may_not = 'index', unavailable_after, NULL), fetch_time) AS is_allowed
        FROM population JOIN verdicts USING (page_policy_id)
        WHERE NOT is_allowed OR (is_allowed IS NULL AND has_contradiction)
    ),
    refusing AS (FROM judged WHERE NOT is_allowed),
    known_parts AS (SELECT DISTINCT part FROM verdicts QUALIFY count(allows) OVER (PARTITION BY dialect, may_not) > 0),
    contradicting AS (SELECT part, count(*) AS pages_contradicting FROM judged WHERE is_allowed IS NULL GROUP BY part)
    SELECT
        part.dialect AS dialect, part.product_token AS product_token, part.may_not AS may_not, pages,
        by_name AS pages_by_name, coalesce(pages_contradicting, 0) AS pages_contradicting,
        hosts, domains, share AS pct_of_pages, pct_low, pct_high, n, population, unit, shares.crawl, note
    FROM page_shares('refusing', 'population', 'known_parts', sums := ['by_name']) AS shares
    LEFT JOIN contradicting USING (part)
    ORDER BY dialect, product_token, may_not;
