-- How many pages qualify their links for robots, or keep parts of their text out of excerpts?
-- Keywords: nofollow, sponsored, ugc, rel, data-nosnippet, snippets.
-- Reproduces: rel attributes and data-nosnippet (Web Almanac, SEO chapter).
-- Denominator: HTML pages whose links were counted (`ingest --links`; n); for data-nosnippet, which
--   WAT lacks, only pages from responses. any: nofollow, ugc or sponsored. data-nosnippet: on any
--   element (Bing); data-nosnippet-google: on div, section, span. elements: the number of such
--   links or elements; pct_of_links: their share of all links.
CREATE OR REPLACE MACRO page_links(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH with_links AS (FROM of_crawl('html_pages', crawl) WHERE n_links IS NOT NULL),
    of_responses AS (FROM with_links WHERE n_data_nosnippet IS NOT NULL),
    population AS MATERIALIZED (
        SELECT * REPLACE ('links' AS stratum) FROM weighed_pages('with_links', "by", weights)
        UNION ALL
        SELECT * REPLACE ('passages' AS stratum) FROM weighed_pages('of_responses', "by", weights)
    ),
    elements AS (
        UNPIVOT (
            SELECT 'links' AS stratum, url, n_links_qualified AS "any", n_links_nofollow AS nofollow,
                n_links_ugc AS ugc, n_links_sponsored AS sponsored
            FROM with_links
            UNION ALL BY NAME
            SELECT 'passages' AS stratum, url, n_data_nosnippet AS "data-nosnippet",
                n_data_nosnippet_google AS "data-nosnippet-google"
            FROM of_responses
        )
        ON COLUMNS(* EXCLUDE (stratum, url)) INTO NAME part VALUE elements
    ),
    having_some AS (FROM elements WHERE elements > 0),
    kinds AS (SELECT stratum, part, sum(elements)::BIGINT AS elements FROM elements GROUP BY ALL)
    SELECT
        part AS said, pages, elements, hosts, domains, share AS pct_of_pages, pct_low, pct_high,
        if(stratum = 'links', pct(elements, (SELECT sum(n_links) FROM with_links)), NULL) AS pct_of_links,
        n, population, unit, shares.crawl, note
    FROM page_shares('having_some', 'population', 'kinds') AS shares
    JOIN kinds USING (stratum, part)
    ORDER BY stratum, pages DESC, said = 'any' DESC, said;
