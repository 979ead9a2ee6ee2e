-- Which rules do pages state for robots, and where?
--
-- Topic: Pages.
-- Reproduces: robots directives of the Web Almanac (SEO chapter, "robots meta tags"), without what its
--   script loses: see page-directives-http-archive.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same
--   (by). A page counts once for each rule, wherever it stands and whomever it speaks to;
--   pages_header, pages_meta and pages_misplaced (meta tags that are not in the head; WAT does not tell,
--   so that its tags all count as in the head) say where. Intervals are those of 95 %, with registrable
--   domains as clusters.
-- Parameters: crawl (the last one in time), by (host: each host weighs 1, in equal parts of its pages;
--   domain; weight), weights (path of a CSV or Parquet file of domain and weight), top (40).
CREATE OR REPLACE MACRO page_directives(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH weighed AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    said AS MATERIALIZED (
        SELECT
            page_policy_id,
            rule,
            bool_or(is_known) AS is_known,
            bool_or(source = 'header') AS in_header,
            bool_or(source = 'meta') AS in_meta,
            bool_or(place <> 'head') AS is_misplaced
        FROM page_rules
        WHERE source <> 'http-equiv'
        GROUP BY ALL
    ),
    counted AS MATERIALIZED (
        SELECT * FROM weighed JOIN said USING (page_policy_id)
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, rule AS part, cluster, weight, squares FROM counted',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed'
        )
    )
    SELECT
        rule,
        bool_or(is_known) AS is_known,
        sum(pages)::BIGINT AS pages,
        coalesce(sum(pages) FILTER (in_header), 0)::BIGINT AS pages_header,
        coalesce(sum(pages) FILTER (in_meta), 0)::BIGINT AS pages_meta,
        coalesce(sum(pages) FILTER (is_misplaced), 0)::BIGINT AS pages_misplaced,
        count(DISTINCT url_host_name) AS hosts,
        count(DISTINCT domain) AS domains,
        any_value(share) AS pct_of_pages,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        (SELECT sum(pages) FROM weighed)::BIGINT AS n,
        'html_pages' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM counted
    JOIN shares ON part = rule
    GROUP BY rule
    ORDER BY pct_of_pages DESC, rule
    LIMIT top;
