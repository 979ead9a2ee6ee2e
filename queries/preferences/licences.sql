-- To which licences and policies do hosts refer?
-- Keywords: licence, license, RSL, LLM policy, terms, copyright, legal.
-- Reproduces: License lines of Really Simple Licensing (RSL), and LLM-Policy; TDM policies (maango.io's survey).
-- Denominator: hosts that gave a usable answer (n). A reference in the file or in a header counts under its URL's host
--   (terms_host), which shows terms that hosts share; `any of these` counts each host once. `(no host)`: the reference
--   is a path or words; hosts_of_their_own: hosts with such a reference, or with a reference to their own host, with or
--   without www. Without headers, hosts and shares are lower bounds: pct_high is null.
CREATE OR REPLACE MACRO licences(crawl := NULL, "by" := 'host', weights := NULL, top := 40) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights)),
    references_made AS (
        SELECT
            url_host_name, value, source = 'header' AS in_header,
            regexp_replace(regexp_extract(value, '^<?([^>]*)', 1), '^//', 'https://') AS url,
            encoded_name(host_of_url(url), labels) AS host,
            if(host = '', '(no host)', host) AS terms_host,
            host = '' OR bare_name(host) = bare_name(url_host_name) AS is_own,
            unnest([
                {'preference': preference, 'terms_host': terms_host},
                {'preference': 'any of these', 'terms_host': 'any'}
            ]) AS part
        FROM of_crawl('stated_signals', crawl) SEMI JOIN population USING (url_host_name) CROSS JOIN encoded_labels
        WHERE preference IN ('license', 'llm-policy', 'tdm-policy') AND vocabulary IN ('license', 'llm-policy', 'tdm')
    ),
    referring AS (
        SELECT
            url_host_name, part, bool_or(is_own) AS hosts_of_their_own, bool_or(in_header) AS hosts_in_headers,
            min(value) AS a_document
        FROM references_made
        GROUP BY ALL
    )
    SELECT
        part.preference AS preference, part.terms_host AS terms_host, hosts, share AS pct_of_hosts,
        pct_low, if(no_headers IS NULL, pct_high, NULL) AS pct_high, hosts_of_their_own, documents,
        if(no_headers IS NULL, hosts_in_headers, NULL) AS hosts_in_headers, left(a_document, 80) AS a_document,
        n, population, unit, shares.crawl, joined_notes([no_headers, note]) AS note
    FROM joined_shares(
        'referring', 'population', sums := ['hosts_of_their_own', 'hosts_in_headers'], least_of := ['a_document']
    ) AS shares
    CROSS JOIN (SELECT header_note(crawl) AS no_headers)
    JOIN (SELECT part, count(DISTINCT value) AS documents FROM references_made GROUP BY part) USING (part)
    ORDER BY hosts DESC, preference, terms_host
    LIMIT top;
