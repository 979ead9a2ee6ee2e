-- The series of a report from summaries of crawls alone (robostat export --summary), for DuckDB 1.4 or later:
--   cd summary/ && duckdb -init summary.sql -c 'FROM key_shares()'
-- Summaries of several crawls may be in one directory. If they are elsewhere, set their path before this file is read:
--   SET VARIABLE summary = 'panel/*.parquet';
-- The macros have the names of shipped queries and their parameters (panel_over_time: agents and "by"), and give their
-- rows, without the columns and notes that need the tables. "by" := 'weight' takes the weights of the export.
-- agent_adoption_over_time and panel_over_time give all crawlers by default. A crawler that the summary lacks has no row.
-- summary_shares has the share and interval of every row.
CREATE OR REPLACE VIEW summary AS FROM read_parquet(coalesce(getvariable('summary'), '*.parquet'));

CREATE OR REPLACE VIEW summary_shares AS
    SELECT
        * EXCLUDE (clusters, n_clusters, drawn, exact),
        -- Clusters are registrable domains, except in a crawl whose inputs were drawn at random.
        if(drawn = 0, clusters, NULL) AS domains, if(drawn = 0, n_clusters, NULL) AS n_domains
    FROM shares_of_sums('summary');

-- The product tokens in a list, or in a text with commas.
CREATE OR REPLACE MACRO tokens_of(names) AS
    regexp_extract_all(lower(names::VARCHAR), '[a-z0-9!#$%&*+.^_`|~-]+');

-- The rows of a series in all crawls, and in the crawl with a label, by default the last. The SQL is a text, because
-- DuckDB confuses parameters and columns of one name in macros that use each other.
CREATE OR REPLACE MACRO sql_text(value) AS '''' || replace(value, '''', '''''') || '''';
-- A crawl, population or unit that the summary lacks is an error.
CREATE OR REPLACE MACRO summary_crawl(label) AS
    (SELECT coalesce(max(crawl), error('the summary has no crawl ' || label)) FROM summary WHERE crawl = label);
CREATE OR REPLACE MACRO summary_population(label) AS (
    SELECT coalesce(max(population), error('the summary has no population ' || label)) FROM summary
    WHERE population = label
);
CREATE OR REPLACE MACRO summary_unit(label) AS
    (SELECT coalesce(max(unit), error('the summary has no unit ' || label)) FROM summary WHERE unit = label);
CREATE OR REPLACE MACRO series_of(name, population, unit) AS TABLE
    FROM query(concat(
        'FROM summary_shares WHERE (series, population, unit) = (',
        sql_text(name), ', summary_population(', sql_text(population), '), summary_unit(', sql_text(unit), '))'
    ));
CREATE OR REPLACE MACRO series_in(name, population, unit, crawl) AS TABLE
    FROM query(concat(
        'FROM series_of(', concat_ws(', ', sql_text(name), sql_text(population), sql_text(unit)), ') WHERE crawl = ',
        coalesce('summary_crawl(' || sql_text(crawl) || ')', '(SELECT arg_max(crawl, (median_day, crawl)) FROM summary_shares)')
    ));

CREATE OR REPLACE MACRO key_shares("by" := 'host') AS TABLE
    SELECT
        crawl, part AS measure, hosts, share AS pct, pct_low, pct_high, n, n_domains, population, unit, note
    FROM summary_shares JOIN key_measures USING (answer, population)
    WHERE series = 'measure' AND unit = summary_unit("by")
    ORDER BY median_day, crawl, position;

CREATE OR REPLACE MACRO status_classes(crawl := NULL, "by" := 'host') AS TABLE
    SELECT
        split_part(answer, ': ', 1) AS response_class,
        nullif(split_part(answer, ': ', 2), '') AS content,
        hosts, share AS pct_of_hosts, pct_low, pct_high, n, population, unit, statuses.crawl, note
    FROM series_in('status', 'captured', "by", crawl) AS statuses
    ORDER BY hosts DESC, response_class, content;

CREATE OR REPLACE MACRO agent_adoption(
    agents := NULL, crawl := NULL, population := 'with_rules', "by" := 'host', top := 30
) AS TABLE
    WITH naming AS (FROM series_in('crawler', population, "by", crawl)),
    naming_of_captured AS (FROM series_in('crawler', 'captured', "by", crawl))
    SELECT
        product_token, named.hosts, with_rules.hosts AS hosts_with_rules, named.domains,
        named.share AS pct_named, named.pct_low, named.pct_high,
        pct(named.hosts, captured.n) AS pct_of_captured,
        named.n, named.population, named.unit, named.crawl, named.note
    FROM naming AS named
    JOIN naming AS with_rules USING (product_token)
    JOIN naming_of_captured AS captured USING (product_token)
    WHERE named.answer = 'named' AND with_rules.answer = 'named with rules' AND captured.answer = 'named'
        AND named.hosts > 0 AND (agents IS NULL OR list_contains(tokens_of(agents), product_token))
    ORDER BY named.weight DESC, product_token
    LIMIT top;

CREATE OR REPLACE MACRO agent_adoption_over_time(agents := NULL, "by" := 'host') AS TABLE
    SELECT
        product_token, crawl, hosts, share AS pct_of_hosts_with_rules, pct_low, pct_high, n, population, unit, note
    FROM series_of('crawler', 'with_rules', "by")
    WHERE answer = 'named' AND if(agents IS NULL, hosts > 0, list_contains(tokens_of(agents), product_token))
    ORDER BY product_token, median_day, crawl;

-- The same sites, crawl after crawl. If the summary covers several crawls, a separate file has these rows as the query
-- returns them. (A parameter names the file, because DuckDB looks up a literal name when it creates the macro.)
CREATE OR REPLACE MACRO panel_over_time(agents := NULL, "by" := 'host', file := 'series/panel.parquet') AS TABLE
    SELECT * EXCLUDE (median_day)
    FROM read_parquet(file)
    WHERE unit = summary_unit("by") AND (agents IS NULL OR list_contains(tokens_of(agents), product_token))
    ORDER BY
        product_token, stratum <> 'all', try_cast(regexp_extract(stratum, '^\d+') AS BIGINT), stratum,
        median_day, crawl;

CREATE OR REPLACE MACRO agent_restrictions_over_time(
    agents := ['gptbot'], population := 'answered', "by" := 'host'
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
        n, any_value(shares.population) AS population, unit,
        any_value(note) FILTER (answer = 'full') AS note
    FROM series_of('crawler', population, "by") AS shares
    WHERE list_contains(tokens_of(agents), product_token)
    GROUP BY product_token, crawl, median_day, n, unit
    ORDER BY product_token, median_day, crawl;
