-- How many captures, successes and redirects does each crawl have, by number of redirects followed?
-- Keywords: published, comparison, Common Crawl, replication, redirects, depth.
-- Reproduces: robotstxt-captures-counts-with-redirects.csv of Common Crawl, whose index has no Location before 2020.
-- Denominator: none; the rows are counts. At redirects = 0: the last capture of each URL `/robots.txt`; with ranks,
--   only of hosts in ranks. At k + 1: the last capture of each URL that a capture at k redirects to, once per starting
--   host; a redirect to the same URL is not followed. n_fetch_success: status 200; n_redirects: a Location. Without
--   --subset robotstxt, ingest leaves out targets with other paths.
CREATE OR REPLACE MACRO common_crawl_captures(ranks := NULL) AS TABLE
    WITH RECURSIVE latest AS MATERIALIZED (
        SELECT
            crawl_number(crawl) AS number, url, url_host_name AS host, fetch_status, fetch_redirect_url,
            url_path = '/robots.txt' AND url_query IS NULL AS is_start
        FROM captures
        QUALIFY row_number() OVER (
            PARTITION BY crawl, url
            ORDER BY
                fetch_time DESC, warc_filename DESC, input_id DESC, warc_record_offset DESC, warc_record_inner_offset DESC
        ) = 1
    ),
    followed AS (
        SELECT * EXCLUDE (is_start), 0 AS redirects
        FROM latest
        WHERE is_start AND (ranks IS NULL OR host IN (SELECT domain FROM ranks_of(ranks)))
        UNION ALL
        SELECT DISTINCT number, latest.url, followed.host, latest.fetch_status, latest.fetch_redirect_url, redirects + 1
        FROM followed JOIN latest USING (number)
        WHERE latest.url = followed.fetch_redirect_url AND latest.url <> followed.url AND redirects < 5
    )
    SELECT
        count(*) AS n_captures,
        count(*) FILTER (fetch_status = 200) AS n_fetch_success,
        count(fetch_redirect_url) AS n_redirects,
        crawl_labels()[number] AS crawl, redirects
    FROM followed
    GROUP BY number, redirects
    ORDER BY number, redirects;
