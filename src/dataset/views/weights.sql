-- The cluster of a host, which intervals take: the domain, by its number, where it has several hosts, and
-- null where it has one; in a crawl whose inputs were drawn at random, the input: a number below zero that
-- ends with the crawl's, by which drawn_part finds how much was drawn. Without such crawls
-- DuckDB drops all but the last branch, and does not read input_id.
CREATE OR REPLACE MACRO cluster_of(label, input, domain) AS
    CASE
        WHEN len(sampled_crawls()) > 0 AND list_contains(sampled_crawls(), label) THEN
            -(abs(input // 4096) * 4096 + crawl_number(label))
        ELSE domain
    END;

-- SQL for hosts, each with the weight that it has in a share by
--   host    1
--   domain  1 for the hosts of a registrable domain together: each has an equal part
--   weight  the weight of its name in the user's file, else an equal part of its registrable domain's
--           (see weighed_by_file); 0 where the file has neither
-- and with what intervals take (see shares_of): cluster, hosts (1) and squares, the weight squared. It is
-- text, so that DuckDB is not given what the weight at hand does not need.
-- format() so that source and condition, which are long SQL themselves, are bound once each.
CREATE OR REPLACE MACRO weighed_sql(source, condition, unit, weights) AS
    format(
        CASE one_of(unit, ['host', 'domain', 'weight'], 'by')
            WHEN 'host' THEN
                '(SELECT *, cluster_of(crawl, input_id, domain_number) AS cluster, 1 AS hosts, 1.0::DOUBLE AS weight,'
                ' 1.0::DOUBLE AS squares FROM {0} WHERE {1})'
            WHEN 'domain' THEN
                '(SELECT hosts.*, cluster_of(crawl, input_id, domain_number) AS cluster, 1 AS hosts,'
                ' coalesce(of_domain.weight, 1.0) AS weight, coalesce(of_domain.weight * of_domain.weight, 1.0) AS squares'
                ' FROM (FROM {0} WHERE {1}) AS hosts LEFT JOIN (SELECT crawl_number(crawl) AS number, domain_number AS of_several, 1.0::DOUBLE / count(*) AS weight'
                ' FROM {2} WHERE domain_number IS NOT NULL AND {1} GROUP BY ALL) AS of_domain'
                ' ON of_several = domain_number AND number = crawl_number(crawl))'
            ELSE
                'weighed_by_file($source${0}$source$, $condition${1}$condition$, {3})'
        END,
        source,
        condition,
        if(source = hosts_with_counts_sql(), 'hosts', source),
        CASE
            WHEN unit <> 'weight' THEN ''
            WHEN weights IS NULL THEN error('by := ''weight'' needs weights, a file of domain and weight')
            ELSE sql_text(weights)
        END
    );
-- A line of the file that names a registrable domain has its weight divided among the domain's hosts in the
-- population, without those that a line of their own names. Any other line weighs one host: the host of its name,
-- else the host of its name with or without a leading www. that the file does not list. So no line counts
-- twice.
CREATE OR REPLACE MACRO other_www(name) AS if(starts_with(name, 'www.'), name[5:], 'www.' || name);
CREATE OR REPLACE MACRO weighed_by_file(source, condition, weights) AS TABLE
    WITH listed AS MATERIALIZED (FROM weights_of(weights)),
    named AS (
        SELECT crawl, url_host_name, domain FROM query('FROM ' || source || ' WHERE ' || condition)
    ),
    own AS MATERIALIZED (
        SELECT crawl, url_host_name, listed.weight
        FROM named
        JOIN listed ON listed.domain = url_host_name
        WHERE url_host_name <> named.domain
        UNION ALL
        SELECT crawl, named.url_host_name, listed.weight
        FROM named
        JOIN listed ON listed.domain = other_www(named.url_host_name)
        ANTI JOIN listed AS itself ON itself.domain = named.url_host_name
        ANTI JOIN named AS other ON other.crawl = named.crawl AND other.url_host_name = listed.domain
        WHERE listed.domain <> named.domain
    )
    SELECT *, weight * weight AS squares
    FROM (
        SELECT
            hosts.*,
            cluster_of(hosts.crawl, input_id, domain_number) AS cluster,
            1 AS hosts,
            coalesce(
                own.weight,
                listed.weight / count(*) FILTER (own.weight IS NULL) OVER (PARTITION BY hosts.crawl, hosts.domain),
                0
            )::DOUBLE AS weight
        FROM query('FROM ' || source || ' WHERE ' || condition) AS hosts
        LEFT JOIN own ON own.crawl = hosts.crawl AND own.url_host_name = hosts.url_host_name
        LEFT JOIN listed ON listed.domain = hosts.domain
    );

-- The hosts of a population that meet a condition, with their weights and the counts of their files.
CREATE OR REPLACE MACRO weighed_hosts(population, condition, unit, weights) AS TABLE
    FROM query('FROM ' || weighed_sql(
        population_source(population, hosts_with_counts_sql()),
        population_condition(population) || ' AND (' || condition || ')',
        unit,
        weights
    ));

-- SQL for the hosts of a population in one crawl, and in all, with their weights: what agent_shares
-- and counted_answers take. host_files_sql has the counts of their files too, which takes a join.
CREATE OR REPLACE MACRO one_crawl(population, label) AS
    population_condition(population) || ' AND crawl = ' || sql_text(known_crawl(label));
CREATE OR REPLACE MACRO hosts_sql(population, label, unit, weights) AS
    weighed_sql(population_source(population, 'hosts'), one_crawl(population, label), unit, weights);
CREATE OR REPLACE MACRO host_files_sql(population, label, unit, weights) AS
    weighed_sql(population_source(population, hosts_with_counts_sql()), one_crawl(population, label), unit, weights);
CREATE OR REPLACE MACRO all_hosts_sql(population, unit, weights) AS
    weighed_sql(population_source(population, 'hosts'), population_condition(population), unit, weights);
