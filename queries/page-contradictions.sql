-- How do robots.txt, headers and pages contradict each other?
--
-- Topic: Pages.
-- Reproduces: nothing published: noindex on a page that Disallow hides is a known mistake without published counts.
-- Denominator: HTML pages that came with success, each URL once (n), of hosts that weigh the same (by). The
--   contradictions are those of the macro contradictions, which lists the pages: unseen_noindex,
--   allowed_not_to_train, header_and_meta, index_and_noindex, signals. A crawler does not fetch what robots.txt keeps
--   it from: of pages behind a Disallow only those are here that another crawler was allowed. Intervals are those of
--   95 %, with registrable domains as clusters.
-- Parameters: agents (['gptbot', 'claudebot', 'google-extended']: the crawlers for AI training), crawl
--   (the last one in time), by (host: each host weighs 1, in equal parts of its pages; domain; weight),
--   weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO page_contradictions(
    agents VARCHAR[] := ['gptbot', 'claudebot', 'google-extended'],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH weighed AS MATERIALIZED (FROM pages_by(crawl, "by", weights)),
    found AS MATERIALIZED (
        SELECT url_host_name, domain, page_policy_id, concat_ws(' ', contradiction, product_token) AS part,
            contradiction, product_token, count(*) AS pages
        FROM contradictions(label := crawl, names := known_tokens(agents))
        GROUP BY ALL
    ),
    counted AS MATERIALIZED (
        SELECT found.*, weighed.cluster, weighed.weight * found.pages / weighed.pages AS weight
        FROM found JOIN weighed USING (url_host_name, page_policy_id)
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, weight, weight * weight AS squares FROM counted',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM weighed'
        )
    )
    SELECT
        contradiction,
        product_token,
        sum(pages)::BIGINT AS pages,
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
    JOIN shares USING (part)
    GROUP BY contradiction, product_token
    ORDER BY contradiction, pages DESC, product_token;
