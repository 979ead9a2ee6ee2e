-- What may crawlers do with pages, by dialect?
--
-- Topic: Pages.
-- Keywords: noindex, index, follow, meta robots, allowed, by dialect.
-- Reproduces: pages that are not indexable of the Web Almanac (SEO chapter), by what each vendor
--   documents.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). For each dialect and crawler what the page says to it by name, else to all; may_not is
--   index, follow, archive, snippet or train. A page fetched after its unavailable_after may not be
--   indexed, by a dialect that knows that rule. A dialect that has no rule about a thing has no row
--   for it; pages_contradicting: those whose rules contradict each other where the dialect does not
--   say which counts, so that they do not count. Intervals are those of 95 %, with registrable
--   domains as clusters.
-- Parameters: agents (['*', 'googlebot', 'googlebot-news', 'bingbot']), crawl, by (host: each host
--   weighs 1, in equal parts of its pages; domain; weight), weights.
CREATE OR REPLACE MACRO page_restrictions(
    agents := ['*', 'googlebot', 'googlebot-news', 'bingbot'],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    meant AS MATERIALIZED (
        SELECT page_policy_id, dialect, product_token, by_name, has_contradiction, unnest([
            {'may_not': 'index', 'allows': may_index, 'until': unavailable_after},
            {'may_not': 'follow', 'allows': may_follow, 'until': NULL},
            {'may_not': 'archive', 'allows': may_archive, 'until': NULL},
            {'may_not': 'snippet', 'allows': may_snippet, 'until': NULL},
            {'may_not': 'train', 'allows': may_train, 'until': NULL}
        ], recursive := true)
        FROM effective_page_agents(
            (SELECT list(DISTINCT dialect) FROM page_agents),
            (SELECT list(DISTINCT if(name = '*', name, token_of(name))) FROM (SELECT unnest(names_of(agents)) AS name))
        )
        -- A crawler of one vendor has no verdict by another's rules.
        WHERE product_token = '*' OR dialect IN ('html4', 'repext', 'noai')
            OR (dialect = 'google' AND starts_with(product_token, 'googlebot'))
            OR (dialect = 'bing' AND product_token = 'bingbot')
    ),
    judged AS MATERIALIZED (
        SELECT
            population.*,
            {'dialect': dialect, 'product_token': product_token, 'may_not': may_not} AS part,
            is_indexable(allows, until, fetch_time) AS allows,
            by_name
        FROM population
        JOIN meant USING (page_policy_id)
        WHERE NOT is_indexable(allows, until, fetch_time) OR (allows IS NULL AND has_contradiction)
    ),
    refusing AS (FROM judged WHERE NOT allows),
    parts_asked AS (
        SELECT DISTINCT {'dialect': dialect, 'product_token': product_token, 'may_not': may_not} AS part
        FROM (SELECT DISTINCT dialect, product_token FROM meant)
        JOIN (SELECT DISTINCT dialect, may_not FROM meant WHERE allows IS NOT NULL) USING (dialect)
    ),
    counts AS (
        SELECT
            part,
            count(*) FILTER (NOT allows AND by_name) AS pages_by_name,
            count(*) FILTER (allows IS NULL) AS pages_contradicting
        FROM judged
        GROUP BY part
    )
    SELECT
        part.dialect AS dialect,
        part.product_token AS product_token,
        part.may_not AS may_not,
        pages,
        coalesce(pages_by_name, 0) AS pages_by_name,
        coalesce(pages_contradicting, 0) AS pages_contradicting,
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
    FROM page_shares('refusing', 'population', 'parts_asked') AS shares
    LEFT JOIN counts USING (part)
    ORDER BY dialect, product_token, may_not;
