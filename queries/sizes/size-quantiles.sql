-- How large is a typical robots.txt, in bytes, lines, rules, agents and sitemaps?
--
-- Topic: Size and structure.
-- Keywords: median, average, mean, typical, percentiles, length.
-- Reproduces: mean length, lines and agents per file of Dinzinger's survey; sizes, lines and rules
--   of thunderbit's robots.txt study.
-- Denominator: hosts, each once per crawl, whose file has rules (in a group).
-- Parameters: crawl.
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
    ),
    -- Column by column: to make a row of every number takes twice the time.
    summed AS (
        SELECT
            {
                'hosts': count(COLUMNS('(.*)')),
                'mean': avg(COLUMNS('(.*)')),
                'quantiles': quantile_disc(COLUMNS('(.*)'), [0.1, 0.5, 0.9, 0.99]),
                'max': max(COLUMNS('(.*)'))
            } AS '\1'
        FROM measured
    )
    SELECT
        measure,
        told.hosts,
        round(told.mean, 1) AS mean,
        told.quantiles[1] AS p10,
        told.quantiles[2] AS median,
        told.quantiles[3] AS p90,
        told.quantiles[4] AS p99,
        told.max,
        told.hosts AS n,
        'with_rules' AS population,
        known_crawl(crawl) AS crawl
    FROM (UNPIVOT summed ON COLUMNS(*) INTO NAME measure VALUE told)
    WHERE told.hosts > 0
    ORDER BY list_position(
        ['bytes', 'lines', 'blank_lines', 'comment_lines', 'groups', 'agents', 'rules', 'disallow_rules', 'sitemaps'],
        measure
    );
