-- How many pages qualify their links for robots, or keep parts of their text out of excerpts?
--
-- Topic: Pages.
-- Keywords: nofollow, sponsored, ugc, rel, data-nosnippet, snippets.
-- Reproduces: rel attributes and data-nosnippet of the Web Almanac (SEO chapter).
-- Denominator: HTML pages that came with success, each URL once, of which links were counted
--   (`ingest --links`; n), of hosts that weigh the same (by). said is nofollow, ugc, sponsored (rel
--   of a link), any of the three, data-nosnippet (any element, as Bing heeds it), or
--   data-nosnippet-google (div, section and span); pages are those with one such link or element at
--   least, elements these together. WAT has no data-nosnippet: of that, n has the pages of
--   responses only. Intervals are those of 95 %, of pct_of_pages, with registrable domains as
--   clusters; pct_of_links is of all links alike.
-- Parameters: crawl, by (host: each host weighs 1, in equal parts of its pages; domain; weight),
--   weights.
CREATE OR REPLACE MACRO page_links(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (FROM link_pages_by(crawl, "by", weights)),
    kinds(said, stratum) AS (
        VALUES ('any', 'links'), ('nofollow', 'links'), ('ugc', 'links'), ('sponsored', 'links'),
            ('data-nosnippet', 'passages'), ('data-nosnippet-google', 'passages')
    ),
    elements AS (
        SELECT population.*, kinds.said AS part, CASE kinds.said
            WHEN 'any' THEN counts.qualified
            WHEN 'nofollow' THEN counts.nofollow
            WHEN 'ugc' THEN counts.ugc
            WHEN 'sponsored' THEN counts.sponsored
            WHEN 'data-nosnippet' THEN counts.nosnippet
            ELSE counts.nosnippet_google
        END AS elements
        FROM population
        JOIN kinds USING (stratum)
    ),
    having_some AS MATERIALIZED (FROM elements WHERE elements > 0),
    parts_asked AS (SELECT said AS part FROM kinds),
    element_sums AS (
        SELECT part AS said, sum(elements)::BIGINT AS elements FROM having_some GROUP BY part
    )
    SELECT
        said,
        pages,
        coalesce(elements, 0) AS elements,
        hosts,
        domains,
        share AS pct_of_pages,
        low AS pct_low,
        high AS pct_high,
        if(kinds.stratum = 'links', pct(coalesce(elements, 0), links), NULL) AS pct_of_links,
        n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM page_shares('having_some', 'population', 'parts_asked') AS shares
    JOIN kinds ON kinds.stratum = shares.stratum AND said = part
    LEFT JOIN element_sums USING (said)
    CROSS JOIN (SELECT sum(counts.links) AS links FROM population WHERE stratum = 'links')
    ORDER BY shares.stratum, pages DESC, said = 'any' DESC, said;
