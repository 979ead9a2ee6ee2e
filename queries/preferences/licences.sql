-- To which licences and policies do hosts refer?
--
-- Keywords: licence, license, RSL, LLM policy, terms, copyright, legal.
-- Reproduces: License lines of Really Simple Licensing (RSL) and LLM-Policy as met in the wild; TDM
--   policies of maango.io's survey.
-- Denominator: hosts that refer to one, in the file or in headers. A reference counts by the host
--   of its URL, so that shared terms show.
CREATE OR REPLACE MACRO licences(crawl VARCHAR := NULL, top INTEGER := 40) AS TABLE
    WITH referring AS (
        SELECT
            *,
            regexp_extract(value, '^<?[A-Za-z][A-Za-z0-9+.-]*://([^/?#:>]+)', 1) AS host,
            if(host = '', '(relative)', lower(host)) AS terms_host
        FROM of_crawl('stated_signals', crawl)
        WHERE preference IN ('license', 'llm-policy', 'tdm-policy')
    )
    SELECT
        preference,
        terms_host,
        count(DISTINCT url_host_name) AS hosts,
        count(DISTINCT url_host_name) FILTER (terms_host = url_host_name) AS hosts_of_their_own,
        count(DISTINCT value) AS documents,
        count(DISTINCT url_host_name) FILTER (source = 'header') AS hosts_in_headers,
        left(min(value), 80) AS a_document,
        known_crawl(crawl) AS crawl
    FROM referring
    GROUP BY preference, terms_host
    ORDER BY hosts DESC, preference, terms_host
    LIMIT top;
