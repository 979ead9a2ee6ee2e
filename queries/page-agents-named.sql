-- Which crawlers do pages speak to by name?
--
-- Topic: Pages.
-- Reproduces: bots named in robots meta tags and X-Robots-Tag of the Web Almanac (SEO chapter).
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). A page counts once for each crawler that a rule of it speaks to, `*` for all;
--   pages_noindex: those with a noindex or none for it. Intervals are those of 95 %, with registrable
--   domains as clusters.
-- Parameters: crawl (the last one in time), by (host: each host weighs 1, in equal parts of its pages;
--   domain; weight), weights (path of a CSV or Parquet file of domain and weight), top (30).
CREATE OR REPLACE MACRO page_agents_named(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH weighed AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    said AS MATERIALIZED (
        SELECT
            page_policy_id,
            product_token,
            bool_or(source = 'header') AS in_header,
            bool_or(source = 'meta') AS in_meta,
            bool_or(rule IN ('noindex', 'none')) AS is_noindex
        FROM page_rules
        WHERE source <> 'http-equiv'
        GROUP BY ALL
    ),
    counted AS MATERIALIZED (
        SELECT * FROM weighed JOIN said USING (page_policy_id)
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, product_token AS part, cluster, weight, squares FROM counted',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed'
        )
    )
    SELECT
        product_token,
        sum(pages)::BIGINT AS pages,
        coalesce(sum(pages) FILTER (in_header), 0)::BIGINT AS pages_header,
        coalesce(sum(pages) FILTER (in_meta), 0)::BIGINT AS pages_meta,
        coalesce(sum(pages) FILTER (is_noindex), 0)::BIGINT AS pages_noindex,
        count(DISTINCT url_host_name) AS hosts,
        count(DISTINCT domain) AS domains,
        any_value(share) AS pct_of_pages,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        (SELECT sum(pages) FROM weighed)::BIGINT AS n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), any_value(note)) AS note
    FROM counted
    JOIN shares ON part = product_token
    GROUP BY product_token
    ORDER BY pct_of_pages DESC, product_token
    LIMIT top;
