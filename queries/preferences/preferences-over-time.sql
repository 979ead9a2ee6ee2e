-- How many hosts state preferences about use, crawl after crawl, in which vocabulary?
--
-- Keywords: trend, Content-Signal, Content-Usage, TDM, license, years.
-- Reproduces: spread of content signals of Cloudflare's reports, of licences and TDM reservations
--   of maango.io's survey, as a series.
-- Denominator: hosts that answered conclusively (n). A preference counts in the file and in headers
--   of the response (view stated_signals). hosts_denying: they deny some use.
CREATE OR REPLACE MACRO preferences_over_time("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM all_hosts_by('answered', "by", weights)),
    stated AS (
        SELECT
            crawl, url_host_name, vocabulary AS part,
            bool_or(source = 'robots.txt') AS in_file, bool_or(source = 'header') AS in_headers, bool_or(NOT allows) AS denies
        FROM stated_signals
        GROUP BY ALL
    ),
    stating AS MATERIALIZED (FROM population JOIN stated USING (crawl, url_host_name)),
    vocabularies AS (SELECT unnest(['content-signal', 'content-usage', 'license', 'llm-policy', 'tdm']) AS part),
    counts AS (
        SELECT
            stratum,
            part,
            count(*) FILTER (in_file) AS hosts_in_file,
            count(*) FILTER (in_headers) AS hosts_in_headers,
            count(*) FILTER (denies) AS hosts_denying
        FROM stating
        GROUP BY ALL
    )
    SELECT
        part AS vocabulary, shares.crawl,
        hosts, share AS pct_of_hosts, low AS pct_low, high AS pct_high,
        coalesce(hosts_in_file, 0) AS hosts_in_file,
        coalesce(hosts_in_headers, 0) AS hosts_in_headers,
        coalesce(hosts_denying, 0) AS hosts_denying,
        n, population, unit,
        joined_notes([order_note(shares.crawl), note]) AS note
    FROM shares('stating', 'population', 'vocabularies') AS shares
    LEFT JOIN counts USING (stratum, part)
    ORDER BY vocabulary, stratum;
