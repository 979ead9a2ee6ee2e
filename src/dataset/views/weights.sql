-- The cluster of a host, for intervals: the number of its domain, null if the domain has one host. In a crawl whose
-- inputs were drawn at random, it is the input: a negative number that also encodes the crawl (see drawn_part). Without
-- such crawls DuckDB drops all but the last branch, and does not read input_id.
CREATE OR REPLACE MACRO cluster_of(label, input, domain) AS
    CASE
        WHEN len(sampled_crawls()) > 0 AND list_contains(sampled_crawls(), label)
            THEN -(abs(input // 4096) * 4096 + crawl_number(label))
        ELSE domain
    END;

-- The part of all known inputs that the sample has, for a cluster that is an input (see
-- cluster_of).
CREATE OR REPLACE MACRO drawn_part(cluster) AS
    CASE WHEN len(sampled_crawls()) > 0 AND cluster < 0
        THEN drawn_parts()[crawl_labels()[(-cluster) % 4096]] ELSE 0.0 END;

-- The hosts of a CTE, each with the weight that it has in a share by
--   host    1
--   domain  1 for the hosts of a registrable domain together: each has an equal part
--   weight  the weight of its name in the user's file, else an equal part of its registrable domain's, else 0
-- If a line of the file names a registrable domain, its weight is divided among the domain's hosts in the population
-- that have no line of their own. Any other line weighs one host: the host of that name, else the host with a leading
-- www. added or removed, unless the file lists that host. So no line counts twice.
CREATE OR REPLACE MACRO weighed_by_domain(hosts_name) AS TABLE
    -- A join, because a window over a CTE takes five times as long, and DuckDB 2.0.1 counts wrongly
    -- without the crawl.
    SELECT hosts.*, coalesce(1 / sharing.number, 1)::DOUBLE AS weight
    FROM query_table(hosts_name) AS hosts
    LEFT JOIN (SELECT crawl, domain_number, count(*) AS number FROM query_table(hosts_name) GROUP BY ALL) AS sharing
        ON sharing.crawl = hosts.crawl AND sharing.domain_number = hosts.domain_number;
CREATE OR REPLACE MACRO weighed_by_weight(hosts_name, weights) AS TABLE
    WITH listed AS MATERIALIZED (
        FROM weights_of(coalesce(weights, error('by := ''weight'' needs weights, a file of domain and weight')))
    ),
    named AS (SELECT crawl, url_host_name, domain FROM query_table(hosts_name)),
    own AS MATERIALIZED (
        SELECT crawl, url_host_name, listed.weight
        FROM named JOIN listed ON listed.domain = url_host_name
        WHERE url_host_name <> named.domain
        UNION ALL
        SELECT crawl, named.url_host_name, listed.weight
        FROM named
        JOIN listed ON listed.domain = other_www(named.url_host_name)
        ANTI JOIN listed AS itself ON itself.domain = named.url_host_name
        ANTI JOIN named AS other ON other.crawl = named.crawl AND other.url_host_name = listed.domain
        WHERE listed.domain <> named.domain
    )
    SELECT
        hosts.*,
        coalesce(
            own.weight,
            listed.weight / count(*) FILTER (own.weight IS NULL) OVER (PARTITION BY hosts.crawl, hosts.domain),
            0
        )::DOUBLE AS weight
    FROM query_table(hosts_name) AS hosts
    LEFT JOIN own ON own.crawl = hosts.crawl AND own.url_host_name = hosts.url_host_name
    LEFT JOIN listed ON listed.domain = hosts.domain;

-- The hosts of a CTE, with their weights by the unit and their clusters.
CREATE OR REPLACE MACRO weighed(hosts_name, unit, weights) AS TABLE
    SELECT * EXCLUDE (weight), cluster_of(crawl, input_id, domain_number) AS cluster, weight
    FROM query(format(
        CASE one_of(unit, ['host', 'domain', 'weight'], 'by')
            WHEN 'host' THEN 'SELECT *, 1.0::DOUBLE AS weight FROM query_table({0})'
            WHEN 'domain' THEN 'FROM weighed_by_domain({0})'
            ELSE 'FROM weighed_by_weight({0}, {1})'
        END,
        sql_text(hosts_name), coalesce(sql_text(weights), 'NULL')
    ));

-- The hosts of a population with the weights that they have in shares: what queries count. rows is a view of hosts;
-- stratum is the number of the crawl; population and unit are the parameters.
CREATE OR REPLACE MACRO weighed_population(rows, population, unit, weights) AS TABLE
    WITH hosts_counted AS NOT MATERIALIZED (
        SELECT crawl_number(crawl) AS stratum, *, population AS population, unit AS unit
        FROM query_table(rows)
        WHERE is_in_population(population)
    )
    -- DuckDB keeps every column of a CTE in memory: this leaves out columns that only locate a
    -- capture.
    SELECT COLUMNS(lambda name: name NOT IN (
        'warc_filename', 'warc_record_offset', 'warc_record_inner_offset', 'url', 'origin', 'url_host_name_reversed',
        'fetch_redirect_url', 'final_url'
    ))
    FROM weighed('hosts_counted', unit, weights);

-- weighed_population in one crawl, or in all. host_files_by also has the counts of the hosts' files, which takes a
-- join.
CREATE OR REPLACE MACRO hosts_by(population, label, unit, weights) AS TABLE
    WITH rows_counted AS NOT MATERIALIZED (FROM of_crawl(view_of(population, 'hosts'), label))
    FROM weighed_population('rows_counted', population, unit, weights);
CREATE OR REPLACE MACRO host_files_by(population, label, unit, weights) AS TABLE
    WITH rows_counted AS NOT MATERIALIZED (FROM of_crawl(view_of(population, 'host_files'), label))
    FROM weighed_population('rows_counted', population, unit, weights);
CREATE OR REPLACE MACRO all_hosts_by(population, unit, weights) AS TABLE
    FROM weighed_population(view_of(population, 'hosts'), population, unit, weights);

-- The sizes of the files of a CTE as host_files_by gives it: a row for each host and measure, in order of place.
CREATE OR REPLACE MACRO measured_files(rows) AS TABLE
    SELECT
        stratum, cluster, weight,
        unnest([
            {'place': 1, 'measure': 'bytes', 'number': content_length},
            {'place': 2, 'measure': 'lines', 'number': n_lines},
            {'place': 3, 'measure': 'blank_lines', 'number': n_blank_lines},
            {'place': 4, 'measure': 'comment_lines', 'number': n_comment_lines},
            {'place': 5, 'measure': 'groups', 'number': n_groups},
            {'place': 6, 'measure': 'agents', 'number': n_agents},
            {'place': 7, 'measure': 'rules', 'number': n_allow + n_disallow},
            {'place': 8, 'measure': 'disallow_rules', 'number': n_disallow},
            {'place': 9, 'measure': 'sitemaps', 'number': n_sitemaps}
        ], recursive := true)
    FROM query_table(rows);
