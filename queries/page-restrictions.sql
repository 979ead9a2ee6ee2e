-- What may crawlers do with pages, by dialect?
--
-- Topic: Pages.
-- Reproduces: pages that are not indexable of the Web Almanac (SEO chapter), by what each vendor documents.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). For each dialect and crawler what the page says to it by name, else to all;
--   may_not is index, follow, archive, snippet or train. A page fetched after its unavailable_after may not
--   be indexed, by a dialect that knows that rule. A dialect that has no rule about a thing has no
--   row for it; pages_contradicting: those whose rules contradict each other where the dialect does not
--   say which counts, so that they do not count. Intervals are those of 95 %, with registrable domains as
--   clusters.
-- Parameters: agents (['*', 'googlebot', 'googlebot-news', 'bingbot']), crawl (the last one in time), by
--   (host: each host weighs 1, in equal parts of its pages; domain; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO page_restrictions(
    agents VARCHAR[] := ['*', 'googlebot', 'googlebot-news', 'bingbot'],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH weighed AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    dialects AS (SELECT DISTINCT dialect FROM page_agents),
    meant AS MATERIALIZED (
        SELECT page_policy_id, dialect, product_token, by_name, has_contradiction, unnest([
            {'may_not': 'index', 'allows': may_index, 'until': unavailable_after},
            {'may_not': 'follow', 'allows': may_follow, 'until': NULL},
            {'may_not': 'archive', 'allows': may_archive, 'until': NULL},
            {'may_not': 'snippet', 'allows': may_snippet, 'until': NULL},
            {'may_not': 'train', 'allows': may_train, 'until': NULL}
        ], recursive := true)
        FROM effective_page_agents(
            (SELECT list(dialect) FROM dialects),
            (SELECT list(DISTINCT if(name = '*', name, token_of(name))) FROM (SELECT unnest(agents) AS name))
        )
        -- A crawler of one vendor has no verdict by another's rules.
        WHERE product_token = '*' OR dialect IN ('html4', 'repext', 'noai')
            OR (dialect = 'google' AND starts_with(product_token, 'googlebot'))
            OR (dialect = 'bing' AND product_token = 'bingbot')
    ),
    about AS (SELECT DISTINCT dialect, may_not FROM meant WHERE allows IS NOT NULL),
    counted AS MATERIALIZED (
        SELECT
            weighed.*,
            concat_ws(' ', dialect, product_token, may_not) AS part,
            is_indexable(meant.allows, until, fetch_time) AS allows,
            by_name,
            has_contradiction
        FROM weighed JOIN meant USING (page_policy_id)
        WHERE NOT is_indexable(meant.allows, until, fetch_time) OR (meant.allows IS NULL AND has_contradiction)
    ),
    sums AS (
        SELECT
            part,
            sum(pages) FILTER (NOT allows) AS pages,
            sum(pages) FILTER (NOT allows AND by_name) AS pages_by_name,
            sum(pages) FILTER (allows IS NULL) AS pages_contradicting,
            count(DISTINCT url_host_name) FILTER (NOT allows) AS hosts,
            count(DISTINCT domain) FILTER (NOT allows) AS domains
        FROM counted
        GROUP BY part
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, weight, squares FROM counted WHERE NOT allows',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed',
            'SELECT concat_ws('' '', dialect, product_token, may_not) AS part FROM meant'
        )
    )
    SELECT
        dialect,
        product_token,
        may_not,
        coalesce(pages, 0)::BIGINT AS pages,
        coalesce(pages_by_name, 0)::BIGINT AS pages_by_name,
        coalesce(pages_contradicting, 0)::BIGINT AS pages_contradicting,
        coalesce(hosts, 0)::BIGINT AS hosts,
        coalesce(domains, 0)::BIGINT AS domains,
        coalesce(share, 0.0) AS pct_of_pages,
        low AS pct_low,
        high AS pct_high,
        (SELECT sum(pages) FROM weighed)::BIGINT AS n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM (SELECT DISTINCT dialect, product_token FROM meant)
    JOIN about USING (dialect)
    LEFT JOIN sums ON sums.part = concat_ws(' ', dialect, product_token, may_not)
    LEFT JOIN shares ON shares.part = concat_ws(' ', dialect, product_token, may_not)
    ORDER BY dialect, product_token, may_not;
