-- How large is a typical robots.txt, in bytes, lines, rules, agents and sitemaps?
--
-- Topic: Size and structure.
-- Reproduces: mean length, lines and agents per file of Dinzinger's survey; sizes, lines and rules
--   of thunderbit's robots.txt study.
-- Denominator: hosts, each once per crawl, whose file has rules (in a group).
-- Parameters: crawl (the last one, by label).
CREATE OR REPLACE MACRO size_quantiles(crawl VARCHAR := NULL) AS TABLE
    WITH measured AS (
        SELECT
            content_length AS bytes,
            n_lines::BIGINT AS lines,
            n_blank_lines::BIGINT AS blank_lines,
            n_comment_lines::BIGINT AS comment_lines,
            (n_allow + n_disallow)::BIGINT AS rules,
            n_disallow::BIGINT AS disallow_rules,
            n_groups::BIGINT AS groups,
            n_agents::BIGINT AS agents,
            n_sitemaps::BIGINT AS sitemaps
        FROM of_crawl('hosts_with_rules', crawl)
    )
    SELECT
        measure,
        count(*) AS hosts,
        round(avg(number), 1) AS mean,
        quantile_disc(number, 0.1) AS p10,
        quantile_disc(number, 0.5) AS median,
        quantile_disc(number, 0.9) AS p90,
        quantile_disc(number, 0.99) AS p99,
        max(number) AS max,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population
    FROM (UNPIVOT measured ON COLUMNS(*) INTO NAME measure VALUE number)
    GROUP BY measure
    ORDER BY list_position(
        ['bytes', 'lines', 'blank_lines', 'comment_lines', 'groups', 'agents', 'rules', 'disallow_rules', 'sitemaps'],
        measure
    );
