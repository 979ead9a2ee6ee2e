-- How many hosts state preferences about use, crawl after crawl, in which vocabulary?
-- Keywords: trend, Content-Signal, Content-Usage, TDM, license, years.
-- Reproduces: content signals (Cloudflare's reports), licences and TDM reservations (maango.io), as a series.
-- Denominator: hosts that gave a usable answer (n). Preferences in files and headers count (stated_signals).
--   hosts_denying: hosts that deny a use. Without headers, hosts and shares are lower bounds: pct_high is null.
CREATE OR REPLACE MACRO preferences_over_time("by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM all_hosts_by('answered', "by", weights)),
    stating AS (
        SELECT
            crawl, url_host_name, vocabulary AS part,
            bool_or(source = 'robots.txt') AS hosts_in_file,
            bool_or(source = 'header') AS hosts_in_headers,
            bool_or(NOT allows) AS hosts_denying
        FROM stated_signals
        WHERE preference <> ''
        GROUP BY ALL
    ),
    vocabularies AS (SELECT unnest(['content-signal', 'content-usage', 'license', 'llm-policy', 'tdm']) AS part)
    SELECT
        part AS vocabulary, shares.crawl, hosts, share AS pct_of_hosts,
        pct_low, if(no_headers IS NULL, pct_high, NULL) AS pct_high,
        hosts_in_file, if(no_headers IS NULL, hosts_in_headers, NULL) AS hosts_in_headers, hosts_denying,
        n, population, unit, joined_notes([order_note(shares.crawl), no_headers, note]) AS note
    FROM joined_shares(
        'stating', 'population', 'vocabularies', sums := ['hosts_in_file', 'hosts_in_headers', 'hosts_denying']
    ) AS shares
    LEFT JOIN without_headers('captures') AS without_headers
        ON without_headers.crawl = shares.crawl AND part <> 'llm-policy'
    ORDER BY vocabulary, stratum;
