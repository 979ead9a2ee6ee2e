-- The rows of a CTE grouped by columns: their number, their weight, and the sum of their squared weights. If the CTE
-- has a column alike, each row counts as that many equal rows.
CREATE OR REPLACE MACRO weight_sums(rows, columns_of_groups) AS TABLE
    SELECT
        COLUMNS(columns_of_groups), sum(coalesce(alike, 1))::BIGINT AS hosts,
        sum(weight * coalesce(alike, 1)) AS weight, sum(weight * weight * coalesce(alike, 1)) AS squares
    FROM (SELECT NULL::BIGINT AS alike WHERE false UNION ALL BY NAME FROM query_table(rows))
    GROUP BY ALL;

-- The sums from which shares and their intervals are computed: FROM share_sums('counted', 'population'). Both are names
-- of CTEs (or views) with a row for each host, or whatever else is counted:
--   population   stratum, cluster, weight: all that a share is of; hosts_by and the like have these columns
--   counted      stratum, part, cluster, weight: the rows of the population that count as the part
-- The answer has a row for each stratum and part that is counted, and for the parts of a third CTE, counted or not:
--   n, n_clusters, w, ww     of the population: rows, clusters, weight, and the clusters' squared weights
--   hosts, clusters, y, yy   the same of the rows that count
--   yw                       the sum over clusters of the weight that counts times all weight
--   drawn                    the part of all known clusters that the sample holds (drawn_part)
--   crawl, population, unit  the columns of the population, if it has them
-- Null is a stratum, and a part, like any other. If cluster is null, each row is a cluster of its
-- own (cluster_of): the sum of the squares replaces the square of the sum.
CREATE OR REPLACE MACRO share_sums(counted, total, parts := 'no_parts') AS TABLE
    WITH clusters_of_all AS MATERIALIZED (FROM weight_sums(total, ['stratum', 'cluster'])),
    sums_of_all AS (
        SELECT
            stratum, sum(hosts)::BIGINT AS n, sum(if(cluster IS NULL, hosts, 1))::BIGINT AS n_clusters,
            sum(weight) AS w, sum(if(cluster IS NULL, squares, weight * weight)) AS ww,
            min(drawn_part(cluster)) AS drawn
        FROM clusters_of_all
        GROUP BY stratum
    ),
    descriptions AS (
        SELECT stratum, any_value(COLUMNS(['crawl', 'population', 'unit']))
        FROM (SELECT '' AS crawl, '' AS population, '' AS unit WHERE false UNION ALL BY NAME FROM query_table(total))
        GROUP BY stratum
    ),
    sums_of_part AS (
        SELECT
            of_part.stratum, part, sum(of_part.hosts)::BIGINT AS hosts,
            sum(if(of_part.cluster IS NULL, of_part.hosts, 1))::BIGINT AS clusters, sum(of_part.weight) AS y,
            sum(if(of_part.cluster IS NULL, of_part.squares, of_part.weight * of_part.weight)) AS yy,
            sum(if(of_part.cluster IS NULL, of_part.squares, of_part.weight * of_all.weight)) AS yw
        FROM weight_sums(counted, ['stratum', 'part', 'cluster']) AS of_part
        JOIN clusters_of_all AS of_all
            ON of_all.stratum IS NOT DISTINCT FROM of_part.stratum
            AND of_all.cluster IS NOT DISTINCT FROM of_part.cluster
        GROUP BY ALL
    ),
    listed AS (
        SELECT stratum, part FROM sums_of_part
        UNION
        SELECT stratum, part FROM sums_of_all CROSS JOIN (SELECT part FROM query_table(parts))
    )
    SELECT
        listed.*, sums_of_all.* EXCLUDE (stratum), coalesce(COLUMNS(of_part.* EXCLUDE (stratum, part)), 0),
        descriptions.* EXCLUDE (stratum)
    FROM listed
    JOIN sums_of_all ON sums_of_all.stratum IS NOT DISTINCT FROM listed.stratum
    JOIN descriptions ON descriptions.stratum IS NOT DISTINCT FROM listed.stratum
    LEFT JOIN sums_of_part AS of_part
        ON (of_part.stratum, of_part.part) IS NOT DISTINCT FROM (listed.stratum, listed.part);

-- Shares of weights with their 95% intervals, from such sums: FROM shares('counted', 'population').
-- share_sums explains n, hosts, crawl, population and unit, and shares_of_sums the other columns.
CREATE OR REPLACE MACRO shares(counted, total, parts := 'no_parts') AS TABLE
    WITH sums_of_parts AS MATERIALIZED (FROM share_sums(counted, total, parts))
    SELECT * EXCLUDE (n_clusters, clusters, drawn) FROM shares_of_sums('sums_of_parts');

-- No part, and one.
CREATE OR REPLACE VIEW no_parts AS SELECT NULL AS part LIMIT 0;
CREATE OR REPLACE VIEW one_part AS SELECT true AS part;

-- shares with aggregates of more columns of counted: the sums of numbers or booleans (sums: their names), the number of
-- distinct values (distinct_of), and the least and the greatest value.
CREATE OR REPLACE MACRO summed_shares(
    counted, total, parts := 'no_parts', sums := ['counts'], distinct_of := ['one'], least_of := ['least'],
    greatest_of := ['most']
) AS TABLE
    SELECT
        shares.*, coalesce(COLUMNS(sums), 0), coalesce(COLUMNS(distinct_of), 0), COLUMNS(least_of), COLUMNS(greatest_of)
    FROM shares(counted, total, parts) AS shares
    LEFT JOIN (
        SELECT
            stratum, part, sum(COLUMNS(sums)::BIGINT)::BIGINT, count(DISTINCT COLUMNS(distinct_of)),
            min(COLUMNS(least_of)), max(COLUMNS(greatest_of))
        FROM (SELECT *, 1 AS counts, 1 AS one, 1 AS least, 1 AS most FROM query_table(counted))
        GROUP BY ALL
    ) AS more ON (more.stratum, more.part) IS NOT DISTINCT FROM (shares.stratum, shares.part);

-- summed_shares for a CTE counted with the parts of policies, files or hosts: it is joined with the population by the
-- columns that both have, such as policy_id, file_id or url_host_name.
CREATE OR REPLACE MACRO joined_shares(
    counted, total, parts := 'no_parts', sums := ['counts'], distinct_of := ['one'], least_of := ['least'],
    greatest_of := ['most']
) AS TABLE
    WITH rows_that_count AS MATERIALIZED (FROM query_table(total) NATURAL JOIN query_table(counted))
    FROM summed_shares('rows_that_count', total, parts, sums, distinct_of, least_of, greatest_of);

-- Shares of several answers at once. An answer is a boolean column of counted. Each stratum and part has a row, with
-- the columns of shares in the map found, by the name of the answer: found['blocks'].share.
CREATE OR REPLACE MACRO shares_of_answers(counted, total, answers, parts := 'no_parts') AS TABLE
    WITH answers_of_rows AS (
        UNPIVOT (SELECT stratum, part, cluster, weight, COLUMNS(answers) FROM query_table(counted))
        ON COLUMNS(* EXCLUDE (stratum, part, cluster, weight)) INTO NAME answer VALUE holds
    ),
    rows_answering AS (
        SELECT stratum, cluster, weight, {'part': part, 'answer': answer} AS part FROM answers_of_rows WHERE holds
    ),
    answers_of_parts AS (
        SELECT {'part': part, 'answer': unnest(answers)} AS part
        FROM (SELECT part FROM query_table(parts) UNION SELECT part FROM query_table(counted))
    )
    SELECT
        stratum, part.part AS part, n, total_weight, crawl, population, unit,
        map_from_entries(list((part.answer, {
            'hosts': hosts, 'share': share, 'low': pct_low, 'high': pct_high, 'exact': exact, 'weight': weight, 'note': note
        }))) AS found
    FROM shares('rows_answering', total, 'answers_of_parts')
    GROUP BY ALL;

-- Counts by registrable domain. Both CTEs also have domain_number, and population has domain:
--   n_domains, domains   domains of the population, and those with a host that counts
--   share_of_domains     the share if each domain weighs the same, divided among its hosts; per cent
--   top_domain           of the domains with several hosts, the one with the most hosts that count, and
--   share_of_top_domain  the part of the counted hosts that it has; per cent
--   note                 if the share by host and the share by domain differ by a factor of 1.5 or more
CREATE OR REPLACE MACRO domain_counts(counted, population) AS TABLE
    WITH domains_of_all AS MATERIALIZED (
        SELECT stratum, domain_number, count(*) AS hosts, any_value(domain) AS domain
        FROM query_table(population)
        GROUP BY ALL
    ),
    numbers_of_part AS (
        SELECT
            of_part.stratum, part, sum(of_part.hosts)::BIGINT AS hosts,
            sum(if(of_part.domain_number IS NULL, of_part.hosts, 1))::BIGINT AS domains,
            sum(if(of_part.domain_number IS NULL, of_part.hosts, of_part.hosts / of_all.hosts)) AS equal_domains,
            arg_min(domain, (-of_part.hosts, domain)) FILTER (of_part.domain_number IS NOT NULL) AS top_domain,
            max(of_part.hosts) FILTER (of_part.domain_number IS NOT NULL) AS hosts_of_top_domain
        FROM weight_sums(counted, ['stratum', 'part', 'domain_number']) AS of_part
        JOIN domains_of_all AS of_all
            ON of_all.stratum = of_part.stratum
            AND of_all.domain_number IS NOT DISTINCT FROM of_part.domain_number
        GROUP BY ALL
    )
    SELECT
        stratum, part, n_domains, domains, pct(equal_domains, n_domains) AS share_of_domains,
        top_domain, pct(hosts_of_top_domain, hosts) AS share_of_top_domain,
        CASE WHEN greatest(pct(hosts, n), share_of_domains) >= 1.5 * least(pct(hosts, n), share_of_domains)
            AND pct(hosts, n) <> share_of_domains
            THEN pct(hosts, n) || '% of hosts, ' || share_of_domains || '% of domains'
                || coalesce('; ' || top_domain || ' has ' || share_of_top_domain || '% of the hosts that count', '')
        END AS note
    FROM numbers_of_part
    JOIN (
        SELECT stratum, sum(hosts)::BIGINT AS n, sum(if(domain_number IS NULL, hosts, 1))::BIGINT AS n_domains
        FROM domains_of_all GROUP BY stratum
    ) USING (stratum);

-- How hosts of a CTE with the columns of hosts_by treat each given product token: a row for each stratum and token.
--   n, n_domains, hosts_…   hosts and registrable domains of the stratum; hosts that name or restrict the token
--   pct_…, _low, _high      shares of the weights, and the limits of their intervals
--   note                    announcement_of, the note of domain_counts, the reason for missing intervals
CREATE OR REPLACE MACRO agent_shares(tokens, total) AS TABLE
    WITH ruled AS MATERIALIZED (
        -- A policy without rules names and blocks nobody. DuckDB keeps every column in memory, so only these are kept.
        SELECT
            stratum, cluster, domain_number, domain, weight, crawl, population, unit,
            if(has_rules, policy_id, NULL) AS policy_id
        FROM query_table(total)
    ),
    -- DuckDB copies an argument to each place of its parameter, and tokens may be a long expression.
    asked AS MATERIALIZED (SELECT unnest(tokens) AS part),
    answers AS MATERIALIZED (
        SELECT * RENAME (product_token AS part) FROM names_and_blocks((SELECT list(part) FROM asked))
    ),
    answering AS MATERIALIZED (
        SELECT stratum, cluster, domain_number, weight, answers.* EXCLUDE (policy_id)
        FROM ruled JOIN answers USING (policy_id)
    ),
    blocking AS (FROM answering WHERE blocks),
    other_counts AS (
        SELECT
            stratum, product_token AS part,
            sum(if(restriction = 'partial', hosts, 0))::BIGINT AS hosts_partial,
            sum(if(restriction = 'partial' AND source = 'own', hosts, 0))::BIGINT AS hosts_partial_by_name,
            pct_where(restriction = 'partial', weight) AS pct_partial,
            pct_where(restriction = 'partial' AND source = 'own', weight) AS pct_partial_by_name,
            pct_where(restriction = 'none', weight) AS pct_none
        FROM counted_answers((SELECT list(part) FROM asked), 'ruled')
        GROUP BY ALL
    ),
    domains AS (SELECT stratum, domains_of(domain_number) AS n_domains FROM ruled GROUP BY stratum)
    SELECT
        stratum, part AS product_token,
        found['names'].hosts AS hosts_named, found['names'].share AS pct_named,
        found['names'].low AS pct_named_low, found['names'].high AS pct_named_high,
        found['blocks'].hosts AS hosts_full, found['blocks'].share AS pct_full,
        found['blocks'].low AS pct_full_low, found['blocks'].high AS pct_full_high,
        found['blocks_by_name'].hosts AS hosts_full_by_name, found['blocks_by_name'].share AS pct_full_by_name,
        found['blocks_by_name'].low AS pct_full_by_name_low, found['blocks_by_name'].high AS pct_full_by_name_high,
        other_counts.* EXCLUDE (stratum, part),
        n, domains.n_domains, crawl, population, unit,
        joined_notes([announcement_of(part, crawl), by_domain.note, found['blocks'].note]) AS note
    FROM shares_of_answers('answering', 'ruled', ['names', 'blocks', 'blocks_by_name'], 'asked')
    JOIN other_counts USING (stratum, part)
    JOIN domains USING (stratum)
    LEFT JOIN domain_counts('blocking', 'ruled') AS by_domain USING (stratum, part);

-- The number of registrable domains among some hosts, as an aggregate. A null is a domain of its own.
CREATE OR REPLACE MACRO domains_of(domain_number) AS
    (count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL))::BIGINT;

-- Percentage points to two decimals, never -0.
CREATE OR REPLACE MACRO pct_of(points) AS round(points, 2) + 0.0;

-- Strata of ranks, in order: "top N" (cumulative), "A to B" (disjoint), "unranked" (rank 0) and "all".
CREATE OR REPLACE MACRO rank_strata(tops) AS TABLE
    WITH ends AS (
        SELECT number, coalesce(tops[number - 1], 0) + 1 AS first, tops[number] AS last
        FROM range(1, len(tops) + 1) AS numbers(number)
    )
    SELECT 'top ' || last AS stratum, 1 AS first, last, number AS position FROM ends
    UNION ALL
    SELECT first || ' to ' || last, first, last, 1000 + number FROM ends WHERE number > 1
    UNION ALL
    FROM (VALUES ('unranked', 0, 0, 2000), ('all', 0, 1::BIGINT << 62, 3000));
