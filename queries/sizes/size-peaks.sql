-- Which sizes of files are so frequent that they must be templates?
--
-- Keywords: templates, spikes, repeated length, boilerplate, copied.
-- Reproduces: the peaks of the length histogram of Dinzinger's survey, and what makes them.
-- Denominator: hosts with a robots.txt (n). The most frequent file of each size is shown, with
--   its share of the hosts with that size.
-- Unit: hosts; pct_of_them_alike tells a template from a coincidence, whoever's hosts they are.
-- Intervals: none; it looks for outliers. common-files has them.
CREATE OR REPLACE MACRO size_peaks(crawl VARCHAR := NULL, top INTEGER := 30) AS TABLE
    WITH bodies AS (
        SELECT content_length, file_id, platform, n_lines, n_agents, n_allow + n_disallow AS n_rules, count(*) AS hosts
        FROM of_crawl('hosts_with_file', crawl)
        GROUP BY ALL
    )
    SELECT
        content_length AS bytes,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(hosts), sum(sum(hosts)) OVER ()) AS pct_of_hosts_with_file,
        count(*) AS files,
        pct(max(hosts), sum(hosts)) AS pct_of_them_alike,
        arg_max(n_lines, (hosts, file_id)) AS lines,
        arg_max(n_agents, (hosts, file_id)) AS agents,
        arg_max(n_rules, (hosts, file_id)) AS rules,
        arg_max_null(platform, (hosts, file_id)) AS platform,
        sum(sum(hosts)) OVER ()::BIGINT AS n, 'with_file' AS population, 'host' AS unit, known_crawl(crawl) AS crawl
    FROM bodies
    GROUP BY content_length
    ORDER BY hosts DESC, bytes
    LIMIT top;
