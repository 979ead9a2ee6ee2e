-- Which sizes of files are so frequent that they must be templates?
--
-- Topic: Size and structure.
-- Keywords: templates, spikes, repeated length, boilerplate, copied.
-- Reproduces: the peaks of the length histogram of Dinzinger's survey, and what makes them.
-- Denominator: hosts, each once per crawl, with a file that has rules or other robots.txt lines
--   (n). Of each size the most frequent file is shown, by its share of the hosts with that size.
-- Unit: hosts; pct_of_them_alike tells a template from a coincidence, whoever's hosts they are.
-- Intervals: none; it looks for outliers. common-files has them.
-- Parameters: crawl, top (30).
CREATE OR REPLACE MACRO size_peaks(crawl VARCHAR := NULL, top INTEGER := 30) AS TABLE
    WITH bodies AS (
        SELECT
            content_length,
            file_id,
            any_value(n_lines) AS n_lines,
            any_value(n_agents) AS n_agents,
            any_value(n_allow + n_disallow) AS n_rules,
            any_value(platform) AS platform,
            count(*) AS hosts
        FROM of_crawl('hosts_with_file', crawl)
        GROUP BY content_length, file_id
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
        population_size('with_file', crawl) AS n,
        'with_file' AS population,
        'host' AS unit,
        known_crawl(crawl) AS crawl
    FROM bodies
    GROUP BY content_length
    ORDER BY hosts DESC, bytes
    LIMIT top;
