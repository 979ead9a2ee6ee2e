-- How large is a typical robots.txt, in bytes, lines, rules, agents and sitemaps?
-- Keywords: median, average, mean, typical, percentiles, length, comments.
-- Reproduces: mean length, lines and agents (Dinzinger's survey); sizes, lines and rules (thunderbit's study).
-- Denominator: hosts with rules (n). The interval of a median (Woodruff 1952) treats the hosts of a domain as alike.
CREATE OR REPLACE MACRO size_quantiles(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT stratum, true AS part, cluster, weight, hosts.crawl, population, unit, content_length, COLUMNS('^n_')
        FROM host_files_by('with_rules', crawl, "by", weights) AS hosts
    ),
    numbers AS (
        SELECT
            place, measure, number, count(*) AS hosts, sum(weight) AS weight,
            -- Sums of weights differ from their total by rounding.
            1e-9 + sum(sum(weight)) OVER (PARTITION BY measure ORDER BY number)
                / sum(sum(weight)) OVER (PARTITION BY measure) AS up_to
        FROM measured_files('population')
        GROUP BY place, measure, number
    ),
    half AS (
        SELECT *, half_interval(w, ww, drawn) AS exact, interval_note(exact, drawn) AS note
        FROM share_sums('population', 'population')
    )
    SELECT
        measure, sum(numbers.hosts)::BIGINT AS hosts, round(sum(number * weight) / sum(weight), 1) AS mean,
        min(number) FILTER (up_to >= 0.1) AS p10, min(number) FILTER (up_to >= 0.5) AS median,
        min(number) FILTER (up_to >= exact.low) AS median_low, min(number) FILTER (up_to >= exact.high) AS median_high,
        min(number) FILTER (up_to >= 0.9) AS p90, min(number) FILTER (up_to >= 0.99) AS p99, max(number) AS max,
        n, population, unit, half.crawl, note
    FROM numbers CROSS JOIN half
    GROUP BY place, measure, n, population, unit, half.crawl, note
    ORDER BY place;
