-- The series of a report from summaries of crawls alone (robostat export --summary), for DuckDB 1.4 or later:
--   cd summary/ && duckdb -init summary.sql -c 'FROM key_shares()'
-- Summaries of several crawls may be in one directory. If they are elsewhere, set their path before this file is read:
--   SET VARIABLE summary = 'panel/*.parquet';
-- The macros have the names of shipped queries and give their rows, without the columns and notes that need the tables.
-- summary_shares has the share and interval of every row.
CREATE OR REPLACE VIEW summary AS FROM read_parquet(coalesce(getvariable('summary'), '*.parquet'));

CREATE OR REPLACE VIEW summary_shares AS
    SELECT
        * EXCLUDE (clusters, n_clusters, drawn, exact),
        -- Clusters are registrable domains, except in a crawl whose inputs were drawn at random.
        if(drawn = 0, clusters, NULL) AS domains, if(drawn = 0, n_clusters, NULL) AS n_domains
    FROM shares_of_sums('summary');

-- The crawl with a label, by default the last; and the rows of a series in all crawls, and in one. (The parameters
-- crawl and population of the shipped queries are label and people here: DuckDB would take them for columns.)
CREATE OR REPLACE MACRO crawl_of_summary(label) AS
    coalesce(label, (SELECT arg_max(crawl, (median_day, crawl)) FROM summary_shares));
CREATE OR REPLACE MACRO series_of(name, people, weighed_by) AS TABLE
    FROM summary_shares WHERE series = name AND population = people AND unit = weighed_by;
CREATE OR REPLACE MACRO series_in(name, people, weighed_by, label) AS TABLE
    FROM series_of(name, people, weighed_by) WHERE crawl = crawl_of_summary(label);

CREATE OR REPLACE MACRO key_shares("by" := 'host') AS TABLE
    SELECT
        crawl, part AS measure, hosts, share AS pct, pct_low, pct_high, n, n_domains, population, unit, note
    FROM summary_shares JOIN key_measures USING (answer, population)
    WHERE series = 'measure' AND unit = "by"
    ORDER BY median_day, crawl, position;

CREATE OR REPLACE MACRO status_classes(label := NULL, "by" := 'host') AS TABLE
    SELECT
        split_part(answer, ': ', 1) AS response_class,
        nullif(split_part(answer, ': ', 2), '') AS content,
        hosts, share AS pct_of_hosts, pct_low, pct_high, n, population, unit,
        crawl_of_summary(label) AS crawl, note
    FROM series_in('status', 'captured', "by", label)
    ORDER BY hosts DESC, response_class, content;

CREATE OR REPLACE MACRO agent_adoption(label := NULL, people := 'with_rules', "by" := 'host', top := 30) AS TABLE
    SELECT
        product_token, named.hosts, with_rules.hosts AS hosts_with_rules, named.domains,
        named.share AS pct_named, named.pct_low, named.pct_high,
        pct(named.hosts, captured.n) AS pct_of_captured,
        named.n, people AS population, named.unit,
        crawl_of_summary(label) AS crawl, named.note
    FROM series_in('crawler', people, "by", label) AS named
    JOIN series_in('crawler', people, "by", label) AS with_rules USING (product_token)
    JOIN series_in('crawler', 'captured', "by", label) AS captured USING (product_token)
    WHERE named.answer = 'named' AND with_rules.answer = 'named with rules' AND captured.answer = 'named'
        AND named.hosts > 0
    ORDER BY named.weight DESC, product_token
    LIMIT top;

CREATE OR REPLACE MACRO agent_adoption_over_time(agents, "by" := 'host') AS TABLE
    SELECT
        product_token, crawl, hosts, share AS pct_of_hosts_with_rules, pct_low, pct_high, n, population, unit, note
    FROM series_of('crawler', 'with_rules', "by")
    WHERE answer = 'named' AND list_contains(agents, product_token)
    ORDER BY product_token, median_day, crawl;

-- The same sites, crawl after crawl. If the summary covers several crawls, a separate file has these rows as the query
-- returns them. (A parameter names the file, because DuckDB looks up a literal name when it creates the macro.)
CREATE OR REPLACE MACRO panel_over_time(agents := NULL, "by" := 'host', file := 'series/panel.parquet') AS TABLE
    SELECT * EXCLUDE (median_day)
    FROM read_parquet(file)
    WHERE unit = "by" AND (agents IS NULL OR list_contains(agents, product_token))
    ORDER BY
        product_token, stratum <> 'all', try_cast(regexp_extract(stratum, '^\d+') AS BIGINT), stratum,
        median_day, crawl;

CREATE OR REPLACE MACRO agent_restrictions_over_time(
    agents := ['gptbot'], people := 'answered', "by" := 'host'
) AS TABLE
    SELECT
        product_token, crawl,
        any_value(hosts) FILTER (answer = 'full') AS hosts_full, any_value(share) FILTER (answer = 'full') AS pct_full,
        any_value(pct_low) FILTER (answer = 'full') AS pct_low, any_value(pct_high) FILTER (answer = 'full') AS pct_high,
        any_value(share) FILTER (answer = 'full by name') AS pct_full_by_name,
        round(pct_full - pct_full_by_name, 2) + 0.0 AS pct_full_by_wildcard,
        any_value(share) FILTER (answer = 'partial') AS pct_partial,
        pct(
            -- Nothing is left if every host is counted.
            if(
                sum(hosts) FILTER (answer IN ('full', 'partial')) = n,
                0,
                any_value(total_weight) - sum(weight) FILTER (answer IN ('full', 'partial'))
            ),
            any_value(total_weight)
        ) AS pct_none,
        n, people AS population, unit,
        any_value(note) FILTER (answer = 'full') AS note
    FROM series_of('crawler', people, "by")
    WHERE list_contains(agents, product_token)
    GROUP BY product_token, crawl, median_day, n, unit
    ORDER BY product_token, median_day, crawl;
