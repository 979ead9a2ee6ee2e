-- Which files are served by the most hosts, byte for byte?
-- Keywords: most copied file, copied, copies, duplicates, identical, same file, templates.
-- Reproduces: templates of platforms (Dinzinger's survey, thunderbit's AI crawler study), by identical bodies.
-- Denominator: hosts that answered with a body of any kind (n).
CREATE OR REPLACE MACRO common_files(crawl := NULL, "by" := 'host', weights := NULL, top := 30) AS TABLE
    WITH population AS MATERIALIZED (SELECT *, file_id AS part FROM hosts_by('with_body', crawl, "by", weights)),
    most AS (SELECT part FROM population GROUP BY part ORDER BY count(*) DESC, part LIMIT top)
    SELECT
        file_id, hosts, share AS pct_of_hosts_with_body, pct_low, pct_high,
        domain AS domains, content_class, content_length AS bytes,
        n_agents AS agents, n_allow + n_disallow AS rules, n_sitemaps AS sitemaps,
        platform, n, population, unit, shares.crawl, note
    FROM joined_shares('most', 'population', distinct_of := ['domain']) AS shares
    JOIN files ON file_id = part
    ORDER BY hosts DESC, file_id;
