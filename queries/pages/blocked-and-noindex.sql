-- Which pages have a noindex for a crawler that robots.txt keeps from seeing it?
-- Keywords: noindex, robots.txt against noindex, blocked but noindex, hidden noindex, CCBot.
-- Denominator: HTML pages (n). pages_noindex: pages that the crawler may not index (a noindex, or a date that has
--   passed), by name or for all; pages_unseen: those that robots.txt keeps the crawler from, so it never sees that.
--   Rules are read as Google reads them, and for bingbot as Bing does; rules that name a crawler of others, as in
--   draft-illyes-repext-03: only noindex counts, not none. hosts_blocking: hosts with pages_noindex that block the
--   crawler fully. Pages that no crawler was allowed to fetch are not in the dataset.
CREATE OR REPLACE MACRO blocked_and_noindex(
    agents := ['googlebot', 'bingbot', 'ccbot'], crawl := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    tokens AS MATERIALIZED (SELECT unnest(known_tokens(agents)) AS part),
    blocking AS (
        SELECT url_host_name, product_token
        FROM of_crawl('hosts', crawl) JOIN blocking_policies(known_tokens(agents)) USING (policy_id)
    ),
    noindex AS MATERIALIZED (
        SELECT DISTINCT
            url, url_host_name, product_token AS part,
            hidden.url IS NOT NULL AS is_unseen, blocking.url_host_name IS NOT NULL AS is_blocking
        FROM population
        JOIN effective_page_agents(['google', 'bing', 'repext'], known_tokens(agents)) USING (page_policy_id)
        LEFT JOIN pages_behind_disallow(known_tokens(agents), crawl) AS hidden USING (url, product_token)
        LEFT JOIN blocking USING (url_host_name, product_token)
        WHERE NOT is_indexable(may_index, unavailable_after, fetch_time)
            AND CASE
                WHEN starts_with(product_token, 'googlebot') THEN dialect = 'google'
                WHEN product_token = 'bingbot' THEN dialect = 'bing'
                ELSE dialect = 'google' OR (dialect = 'repext' AND by_name)
            END
    ),
    unseen AS (FROM noindex WHERE is_unseen),
    counts AS (
        SELECT
            part,
            count(*) AS pages_noindex,
            count(DISTINCT url_host_name) AS hosts_noindex,
            count(DISTINCT url_host_name) FILTER (is_blocking) AS hosts_blocking
        FROM noindex
        GROUP BY part
    )
    SELECT
        part AS product_token, coalesce(pages_noindex, 0) AS pages_noindex, pages AS pages_unseen,
        share AS pct_of_pages, pct_low, pct_high,
        coalesce(hosts_noindex, 0) AS hosts_noindex, hosts AS hosts_unseen, coalesce(hosts_blocking, 0) AS hosts_blocking,
        n, population, unit, shares.crawl, note
    FROM page_shares('unseen', 'population', 'tokens') AS shares
    LEFT JOIN counts USING (part)
    ORDER BY pages_unseen DESC, product_token;
