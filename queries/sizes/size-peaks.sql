-- Which sizes of files are so frequent that they must be templates?
-- Keywords: templates, spikes, repeated length, boilerplate, copied.
-- Reproduces: the peaks of the length histogram (Dinzinger's survey), and their causes.
-- Denominator: hosts with a robots.txt (n); pct_of_them_alike: of the hosts with this size, the
--   share that serves its most frequent file; null if no two hosts share a file.
CREATE OR REPLACE MACRO size_peaks(crawl := NULL, "by" := 'host', weights := NULL, top := 30) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT stratum, cluster, weight, hosts.crawl, population, unit, content_length AS part, file_id
        FROM host_files_by('with_file', crawl, "by", weights) AS hosts
    ),
    peaks AS MATERIALIZED (
        SELECT
            part, count(*) AS distinct_files, pct(nullif(max(hosts), 1), sum(hosts)) AS pct_of_them_alike,
            arg_max(file_id, (hosts, file_id)) AS usual_file
        FROM (SELECT part, file_id, count(*) AS hosts FROM population GROUP BY ALL)
        GROUP BY part
        ORDER BY sum(hosts) DESC, part
        LIMIT top
    )
    SELECT
        part AS bytes, hosts, share AS pct_of_hosts_with_file, pct_low, pct_high,
        distinct_files AS files, pct_of_them_alike,
        n_lines AS lines, n_agents AS agents, n_allow + n_disallow AS rules, platform,
        n, population, unit, shares.crawl, note
    FROM joined_shares('peaks', 'population') AS shares
    JOIN peaks USING (part)
    JOIN files ON file_id = usual_file
    ORDER BY hosts DESC, bytes;
