-- How many lines, rules, agents, groups and sitemaps do files have, as histograms?
-- Keywords: histogram, distribution, number of rules, lines, groups.
-- Reproduces: lines and agents per file (Dinzinger's survey); rule blocks (Common Crawl's OSSYM 2022 talk).
-- Denominator: hosts with rules (n). Bins double: 0, 1, 2 to 3, 4 to 7 and so on. Intervals: none; see size-thresholds.
CREATE OR REPLACE MACRO counts_per_file(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS (FROM host_files_by('with_rules', crawl, "by", weights))
    SELECT
        measure, bin AS from_number, if(bin = 0, 0, 2 * bin - 1) AS to_number, count(*) AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER (PARTITION BY measure)) AS pct_of_hosts_with_rules,
        sum(count(*)) OVER (PARTITION BY measure)::BIGINT AS n, 'with_rules' AS population, "by" AS unit,
        known_crawl(crawl) AS crawl
    FROM (SELECT *, if(number = 0, 0, 1::BIGINT << floor(log2(number))::INTEGER) AS bin FROM measured_files('population'))
    WHERE measure NOT IN ('blank_lines', 'comment_lines', 'disallow_rules')
    GROUP BY place, measure, bin
    ORDER BY place, bin;
