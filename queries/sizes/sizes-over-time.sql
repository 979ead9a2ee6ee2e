-- Do robots.txt files grow, crawl after crawl?
--
-- Keywords: trend, growth, longer, years, mean length.
-- Reproduces: mean length, lines and agents per file and year of Dinzinger's survey; sizes by year
--   of the Web Almanac (SEO chapter).
-- Denominator: hosts with rules (n). pct_over_limit: longer than is parsed (500 KiB).
-- Unit: hosts; means and medians of sizes are of files as hosts have them. size-thresholds has
--   shares by domain and by weights.
-- Intervals: none; see size-thresholds.
CREATE OR REPLACE MACRO sizes_over_time() AS TABLE
    SELECT
        crawl,
        round(avg(content_length), 0) AS mean_bytes,
        quantile_disc(content_length, 0.5) AS median_bytes,
        round(avg(n_lines), 1) AS mean_lines,
        quantile_disc(n_lines, 0.5) AS median_lines,
        round(avg(n_agents), 2) AS mean_agents,
        round(avg(n_allow + n_disallow), 1) AS mean_rules,
        quantile_disc(n_allow + n_disallow, 0.5) AS median_rules,
        round(avg(n_sitemaps), 2) AS mean_sitemaps,
        pct(count(*) FILTER (is_over_limit), count(*)) AS pct_over_limit,
        count(*) AS n, 'with_rules' AS population, 'host' AS unit, order_note(crawl) AS note
    FROM hosts_with_rules
    GROUP BY crawl
    ORDER BY crawl_number(crawl);
