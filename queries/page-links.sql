-- How many pages qualify their links for robots, or keep parts of their text out of excerpts?
--
-- Topic: Pages.
-- Reproduces: rel attributes and data-nosnippet of the Web Almanac (SEO chapter).
-- Denominator: HTML pages that came with success, each URL once, of which links were counted (`ingest
--   --links`; n), of hosts that weigh the same (by). said is nofollow, ugc, sponsored (rel of a link), any of
--   the three, data-nosnippet (any element, as Bing heeds it), or data-nosnippet-google (div, section and
--   span); pages are those with one such link or element at least, elements these together. WAT has no
--   data-nosnippet: of that, n has the pages of responses only. Intervals are those of 95 %, of
--   pct_of_pages, with registrable domains as clusters; pct_of_links is of all links alike.
-- Parameters: crawl (the last one in time), by (host: each host weighs 1, in equal parts of its pages;
--   domain; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO page_links(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH weighed AS MATERIALIZED (
        FROM query('FROM ' || weighed_sql('link_hosts', 'crawl = ' || sql_text(known_crawl(crawl)), "by", weights))
    ),
    -- Links are counted on all pages here, data-nosnippet on pages from responses.
    whole AS MATERIALIZED (
        SELECT 'links' AS stratum, pages AS told, * FROM weighed
        UNION ALL
        SELECT 'passages', pages_of_responses, * FROM weighed WHERE pages_of_responses > 0
    ),
    counted AS MATERIALIZED (
        SELECT * REPLACE (weight * pages / told AS weight), (weight * pages / told) ** 2 AS squares
        FROM (
            SELECT * EXCLUDE (pages, squares), unnest(counts, recursive := true)
            FROM whole
        )
        WHERE pages > 0 AND stratum = if(starts_with(said, 'data-'), 'passages', 'links')
    ),
    shares AS (
        FROM shares_of(
            'SELECT stratum, said AS part, cluster, weight, squares FROM counted',
            'SELECT stratum, cluster, hosts, weight, squares FROM whole',
            'SELECT unnest([''any'', ''nofollow'', ''ugc'', ''sponsored'', ''data-nosnippet'', ''data-nosnippet-google'']) AS part'
        )
    ),
    totals AS (SELECT stratum, sum(told)::BIGINT AS n, sum(links) AS links FROM whole GROUP BY stratum)
    SELECT
        said,
        coalesce(sum(counted.pages), 0)::BIGINT AS pages,
        coalesce(sum(elements), 0)::BIGINT AS elements,
        count(DISTINCT url_host_name) AS hosts,
        count(DISTINCT domain) AS domains,
        coalesce(any_value(share), 0.0) AS pct_of_pages,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        if(totals.stratum = 'links', pct(coalesce(sum(elements), 0), any_value(totals.links)), NULL) AS pct_of_links,
        any_value(n) AS n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM (
        SELECT unnest(['any', 'nofollow', 'ugc', 'sponsored', 'data-nosnippet', 'data-nosnippet-google']) AS said,
            if(starts_with(said, 'data-'), 'passages', 'links') AS stratum
    )
    JOIN totals USING (stratum)
    LEFT JOIN counted USING (stratum, said)
    LEFT JOIN shares ON shares.stratum = totals.stratum AND part = said
    GROUP BY said, totals.stratum
    ORDER BY totals.stratum, pages DESC, said = 'any' DESC, said;
