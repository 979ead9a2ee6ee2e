-- What became of the requests for robots.txt: rules, no rules, forbidden, errors?
-- Keywords: 5xx, 4xx, 404, server errors, timeouts, unreachable, success, missing robots.txt.
-- Reproduces: status classes (Common Crawl's experiments); hosts with a valid robots.txt (Dinzinger's survey).
-- Denominator: hosts (n), by the response that counts after redirects (view hosts).
CREATE OR REPLACE MACRO status_classes(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            *, content_served(response_class, content_class, final_status, file_id) AS content,
            {'response_class': response_class, 'content': content} AS part
        FROM host_files_by('captured', crawl, "by", weights)
    ),
    statuses AS (
        SELECT part, string_agg(DISTINCT final_status::VARCHAR, ' ' ORDER BY final_status::VARCHAR) AS statuses
        FROM population
        GROUP BY part
    )
    SELECT
        part.response_class AS response_class, part.content AS content, hosts, share AS pct_of_hosts,
        pct_low, pct_high, statuses, n, population, unit, shares.crawl, note
    FROM shares('population', 'population') AS shares
    JOIN statuses USING (part)
    ORDER BY hosts DESC, response_class, content;
