-- How deep do robots.txt redirects go, and where do they end?
-- Keywords: redirects, 301, 302, 3xx, hops, chain, loops, moved.
-- Reproduces: captures, successes and redirects by redirect depth (Common Crawl's robots.txt experiments).
-- Denominator: captures of a robots.txt URL that redirect (3xx except 304; n); an origin may have several.
-- Unit: captures, since a chain of redirects belongs to a request. Intervals: none; see status-classes, by hosts.
CREATE OR REPLACE MACRO redirect_depth(crawl := NULL) AS TABLE
    SELECT
        n_redirects AS hops_followed, ended,
        if(ended = 'final', response_class(final_status, file_id), NULL) AS final_class,
        count(*) AS captures,
        pct(count(*), sum(count(*)) OVER ()) AS pct_of_redirects,
        sum(count(*)) OVER ()::BIGINT AS n, 'captures that redirect' AS population, 'capture' AS unit,
        known_crawl(crawl) AS crawl
    FROM of_crawl('resolved', crawl)
    WHERE response_class(fetch_status, NULL) = 'redirect'
    GROUP BY ALL
    ORDER BY hops_followed, captures DESC, ended, final_class;
