-- How large is a typical robots.txt, in bytes, lines, rules, agents and sitemaps?
--
-- Keywords: median, average, mean, typical, percentiles, length, comments.
-- Reproduces: mean length, lines and agents per file of Dinzinger's survey; sizes, lines and rules
--   of thunderbit's robots.txt study.
-- Denominator: hosts with rules (n).
CREATE OR REPLACE MACRO size_quantiles(crawl VARCHAR := NULL) AS TABLE
    WITH measured AS (
        UNPIVOT (
            SELECT
                content_length AS bytes,
                n_lines::BIGINT AS lines,
                n_blank_lines::BIGINT AS blank_lines,
                n_comment_lines::BIGINT AS comment_lines,
                n_groups::BIGINT AS groups,
                n_agents::BIGINT AS agents,
                (n_allow + n_disallow)::BIGINT AS rules,
                n_disallow::BIGINT AS disallow_rules,
                n_sitemaps::BIGINT AS sitemaps
            FROM of_crawl('hosts_with_rules', crawl)
        )
        ON COLUMNS(*) INTO NAME measure VALUE number
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
        count(*) AS n, 'with_rules' AS population, known_crawl(crawl) AS crawl
    FROM measured
    GROUP BY measure
    ORDER BY list_position(
        ['bytes', 'lines', 'blank_lines', 'comment_lines', 'groups', 'agents', 'rules', 'disallow_rules', 'sitemaps'],
        measure
    );
