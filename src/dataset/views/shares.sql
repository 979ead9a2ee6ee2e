-- The contribution of a row, which is a cluster or a number of hosts that are each a cluster
-- (cluster null), to a sum of products over clusters, and to their number: `alone` is the sum of
-- the products of such hosts.
CREATE OR REPLACE MACRO cluster_product(cluster, alone, y, w) AS if(cluster IS NULL, alone, y * w);
CREATE OR REPLACE MACRO cluster_count(cluster, hosts) AS if(cluster IS NULL, hosts, 1);

-- Shares of weights with their intervals, for whatever a query counts. Both parameters are statements,
-- which may read what the query calls its own (WITH). A row of either is a host, or several hosts with
-- their sums:
--   counted   stratum, part, cluster, weight, squares: what counts as the part
--   whole     stratum, cluster, hosts, weight, squares: all that a share is of
-- cluster is the number of a domain that has several hosts; where it is null every host is alone in its
-- domain, and squares, the sum of the squared weights, is all that intervals take: most hosts are, and
-- need not be brought together.
-- A row of the answer has a stratum and part, share (per cent), low and high (the ends of its interval), and
-- note (the reason for a missing interval). Null is a stratum, and a part, like any other. A part that is not counted
-- has a row where the third statement lists it (column part), in every stratum.
CREATE OR REPLACE MACRO shares_of(counted, whole, parts := 'SELECT part FROM clusters_counted LIMIT 0') AS TABLE
    WITH clusters_of_whole AS MATERIALIZED (
        SELECT stratum, cluster, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM query(whole)
        GROUP BY ALL
    ),
    sums_of_whole AS (
        SELECT
            stratum,
            min(drawn_part(cluster)) AS drawn,
            sum(weight) AS w,
            sum(cluster_product(cluster, squares, weight, weight)) AS ww
        FROM clusters_of_whole
        GROUP BY ALL
    ),
    clusters_counted AS (
        SELECT stratum, part, cluster, sum(weight) AS y, sum(squares) AS squares FROM query(counted) GROUP BY ALL
    ),
    sums_counted AS (
        SELECT
            clusters_counted.stratum,
            part,
            sum(y) AS y,
            sum(cluster_product(clusters_counted.cluster, clusters_counted.squares, y, y)) AS yy,
            sum(cluster_product(clusters_counted.cluster, clusters_counted.squares, y, weight)) AS yw
        FROM clusters_counted
        JOIN clusters_of_whole
            ON clusters_of_whole.stratum IS NOT DISTINCT FROM clusters_counted.stratum
            AND clusters_of_whole.cluster IS NOT DISTINCT FROM clusters_counted.cluster
        GROUP BY ALL
    )
    SELECT
        stratum,
        part,
        pct(y, w) AS share,
        pct_limit(found.low) AS low,
        pct_limit(found.high) AS high,
        interval_note(found, drawn) AS note
    FROM (
        SELECT asked.stratum, asked.part, coalesce(y, 0) AS y, w, drawn, share_interval(y, yy, yw, w, ww, drawn) AS found
        FROM (
            SELECT stratum, part FROM sums_counted
            UNION
            SELECT stratum, part FROM sums_of_whole CROSS JOIN query(parts)
        ) AS asked
        JOIN sums_of_whole ON sums_of_whole.stratum IS NOT DISTINCT FROM asked.stratum
        LEFT JOIN sums_counted
            ON sums_counted.stratum IS NOT DISTINCT FROM asked.stratum
            AND sums_counted.part IS NOT DISTINCT FROM asked.part
    );

-- The sums over domains that a share and its interval take: of a measure's hosts (y_n) and their
-- weight (y), and of its population's (n, w), in each; a row represents this many equal domains
-- (times), and has the sums of all of them. By domain, each domain of the population weighs 1,
-- whatever other hosts it has.
CREATE OR REPLACE MACRO part_of_domain(y_n, y, n, unit, times) AS
    CASE WHEN unit = 'weight' THEN y / times WHEN unit = 'host' THEN y_n / times WHEN n > 0 THEN y_n / n ELSE 0.0 END;
CREATE OR REPLACE MACRO sums_of_domains(y_n, y, n, w, unit, times) AS {
    'hosts': sum(y_n)::BIGINT,
    'n': sum(n)::BIGINT,
    'm': coalesce(sum(times) FILTER (n > 0), 0)::BIGINT,
    'y': sum(times * part_of_domain(y_n, y, n, unit, times)),
    'yy': sum(times * part_of_domain(y_n, y, n, unit, times) ** 2),
    'yw': sum(times * part_of_domain(y_n, y, n, unit, times) * part_of_domain(n, w, n, unit, times)),
    'w': sum(times * part_of_domain(n, w, n, unit, times)),
    'ww': sum(times * part_of_domain(n, w, n, unit, times) ** 2)
};

-- What hosts answer each of some product tokens, in shares with intervals: by strata of a statement's
-- rows, which are hosts with a weight (see weighed_sql) and a stratum. A row for each stratum and
-- token:
--   n, n_domains                hosts and registrable domains of the stratum
--   hosts_named, hosts_full, hosts_full_by_name, hosts_partial, hosts_partial_by_name   counts
--   pct_named, pct_full, …      shares, of the weights; pct_…_low and _high: the ends of their intervals
--   pct_full_of_hosts, pct_full_of_domains   pct_full where every host, and every domain, weighs the same
--   top_domain                  of the domains with several hosts that with most of hosts_full, and
--                               pct_of_top_domain its part
--   no_interval                 the reason for missing intervals
-- What the group for * says is summed once, for all tokens: `more` is what a cluster has more than that
-- for a token, because of groups for it. Hosts that are alone in their domain are one row, cluster null
-- (see shares_of).
CREATE OR REPLACE MACRO agent_shares_of_clusters(tokens, statement) AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens)),
    weighed AS MATERIALIZED (
        SELECT
            stratum,
            cluster,
            -- A policy without rules is as none: it blocks nobody.
            if(has_rules, policy_id, NULL) AS policy_id,
            any_value(if(cluster IS NULL, NULL, domain)) AS domain,
            count(*) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM query(statement)
        GROUP BY ALL
    ),
    -- Flags are numbers here, and below: to multiply by them takes far less than a FILTER for each sum.
    everybody AS (
        SELECT policy_id, (restriction = 'full')::INTEGER AS is_full, (restriction = 'partial')::INTEGER AS is_partial
        FROM agents
        WHERE product_token = '*' AND restriction <> 'none'
    ),
    clusters AS MATERIALIZED (
        SELECT
            stratum,
            cluster,
            any_value(domain) AS domain,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares,
            coalesce(sum(hosts * is_full), 0)::BIGINT AS hosts_full,
            coalesce(sum(hosts * is_partial), 0)::BIGINT AS hosts_partial,
            coalesce(sum(weight * is_full), 0) AS blocked,
            coalesce(sum(squares * is_full), 0) AS blocked_squares,
            coalesce(sum(weight * is_partial), 0) AS partly
        FROM weighed
        LEFT JOIN everybody USING (policy_id)
        GROUP BY ALL
    ),
    strata AS (
        SELECT
            stratum,
            sum(hosts)::BIGINT AS n,
            sum(cluster_count(cluster, hosts))::BIGINT AS m,
            min(drawn_part(cluster)) AS drawn,
            sum(weight) AS w,
            sum(cluster_product(cluster, squares, weight, weight)) AS ww,
            sum(hosts_full) AS hosts_full,
            sum(hosts_partial) AS hosts_partial,
            sum(blocked) AS blocked,
            sum(cluster_product(cluster, blocked_squares, blocked, blocked)) AS blocked_yy,
            sum(cluster_product(cluster, blocked_squares, blocked, weight)) AS blocked_yw,
            sum(if(cluster IS NULL, hosts_full, hosts_full / hosts)) AS full_of_domains,
            sum(partly) AS partly
        FROM clusters
        GROUP BY stratum
    ),
    named AS (
        SELECT
            policy_id,
            product_token,
            (source = 'own')::INTEGER AS names,
            (source = 'own' AND restriction = 'full')::INTEGER AS blocks,
            (source = 'own' AND restriction = 'partial')::INTEGER AS restricts,
            added_to('full', restriction, else_restriction) AS more_full,
            added_to('partial', restriction, else_restriction) AS more_partial
        FROM named_agents_of(tokens)
    ),
    counted AS MATERIALIZED (
        SELECT
            stratum,
            cluster,
            product_token,
            sum(hosts * names) AS hosts_named,
            sum(hosts * blocks) AS hosts_full_by_name,
            sum(hosts * restricts) AS hosts_partial_by_name,
            sum(hosts * more_full) AS more_full,
            sum(hosts * more_partial) AS more_partial,
            sum(weight * names) AS named,
            sum(squares * names) AS named_squares,
            sum(weight * blocks) AS by_name,
            sum(squares * blocks) AS by_name_squares,
            sum(weight * restricts) AS partly_by_name,
            sum(weight * more_full) AS more_blocked,
            sum(squares * more_full) AS more_blocked_squares,
            sum(weight * more_partial) AS more_partly
        FROM weighed
        JOIN named USING (policy_id)
        GROUP BY ALL
    ),
    -- Domains of several hosts by how many of them the group for * blocks; a token has the first of them
    -- that has no group for it.
    leaders AS MATERIALIZED (
        SELECT
            stratum,
            cluster,
            hosts_full,
            row_number() OVER (PARTITION BY stratum ORDER BY hosts_full DESC, cluster) AS place
        FROM clusters
        WHERE hosts_full > 0 AND cluster IS NOT NULL
    ),
    joined AS MATERIALIZED (
        SELECT
            counted.*,
            obeys_wildcard::INTEGER AS obeys,
            clusters.hosts,
            clusters.weight,
            clusters.blocked,
            clusters.hosts_full * obeys + more_full AS hosts_full
        FROM counted
        JOIN asked USING (product_token)
        JOIN clusters
            ON clusters.stratum IS NOT DISTINCT FROM counted.stratum
            AND clusters.cluster IS NOT DISTINCT FROM counted.cluster
    ),
    gaps AS (
        SELECT stratum, product_token, coalesce(min(number) FILTER (place > number), count(*) + 1) AS place
        FROM (
            SELECT
                joined.stratum,
                product_token,
                place,
                row_number() OVER (PARTITION BY joined.stratum, product_token ORDER BY place) AS number
            FROM joined
            JOIN leaders ON leaders.stratum IS NOT DISTINCT FROM joined.stratum AND leaders.cluster = joined.cluster
        )
        GROUP BY ALL
    ),
    candidates AS (
        SELECT stratum, product_token, cluster, hosts_full FROM joined WHERE hosts_full > 0 AND cluster IS NOT NULL
        UNION ALL
        SELECT strata.stratum, asked.product_token, leaders.cluster, leaders.hosts_full
        FROM strata
        CROSS JOIN asked
        LEFT JOIN gaps ON gaps.stratum IS NOT DISTINCT FROM strata.stratum AND gaps.product_token = asked.product_token
        JOIN leaders ON leaders.stratum IS NOT DISTINCT FROM strata.stratum AND leaders.place = coalesce(gaps.place, 1)
        WHERE obeys_wildcard
    ),
    tops AS MATERIALIZED (
        SELECT
            stratum,
            product_token,
            arg_min(cluster, (-hosts_full, cluster)) AS cluster,
            max(hosts_full) AS hosts_of_top_domain
        FROM candidates
        GROUP BY ALL
    ),
    summed AS (
        SELECT
            stratum,
            product_token,
            sum(hosts_named) AS hosts_named,
            sum(hosts_full_by_name) AS hosts_full_by_name,
            sum(hosts_partial_by_name) AS hosts_partial_by_name,
            sum(more_full) AS more_full,
            sum(more_partial) AS more_partial,
            sum(named) AS named,
            sum(cluster_product(cluster, named_squares, named, named)) AS named_yy,
            sum(cluster_product(cluster, named_squares, named, weight)) AS named_yw,
            sum(by_name) AS by_name,
            sum(cluster_product(cluster, by_name_squares, by_name, by_name)) AS by_name_yy,
            sum(cluster_product(cluster, by_name_squares, by_name, weight)) AS by_name_yw,
            sum(more_blocked) AS more_blocked,
            sum(cluster_product(
                cluster, more_blocked_squares, more_blocked, 2 * blocked * obeys + more_blocked
            )) AS more_blocked_yy,
            sum(cluster_product(cluster, more_blocked_squares, more_blocked, weight)) AS more_blocked_yw,
            sum(if(cluster IS NULL, more_full, more_full / hosts)) AS more_full_of_domains,
            sum(more_partly) AS more_partly,
            sum(partly_by_name) AS partly_by_name
        FROM joined
        GROUP BY ALL
    ),
    totals AS (
        SELECT
            strata.stratum,
            asked.product_token,
            n,
            m,
            w,
            drawn,
            share_interval(named, named_yy, named_yw, w, ww, drawn) AS of_named,
            share_interval(
                strata.blocked * obeys_wildcard::INTEGER + coalesce(more_blocked, 0),
                blocked_yy * obeys_wildcard::INTEGER + coalesce(more_blocked_yy, 0),
                blocked_yw * obeys_wildcard::INTEGER + coalesce(more_blocked_yw, 0),
                w,
                ww,
                drawn
            ) AS of_blocked,
            share_interval(by_name, by_name_yy, by_name_yw, w, ww, drawn) AS of_by_name,
            hosts_named,
            hosts_full_by_name,
            hosts_partial_by_name,
            strata.hosts_full * obeys_wildcard::INTEGER + coalesce(more_full, 0) AS hosts_full,
            strata.hosts_partial * obeys_wildcard::INTEGER + coalesce(more_partial, 0) AS hosts_partial,
            named,
            by_name,
            partly_by_name,
            strata.blocked * obeys_wildcard::INTEGER + coalesce(more_blocked, 0) AS blocked,
            full_of_domains * obeys_wildcard::INTEGER + coalesce(more_full_of_domains, 0) AS full_of_domains,
            strata.partly * obeys_wildcard::INTEGER + coalesce(more_partly, 0) AS partly,
            domain AS top_domain,
            hosts_of_top_domain
        FROM strata
        CROSS JOIN asked
        LEFT JOIN summed
            ON summed.stratum IS NOT DISTINCT FROM strata.stratum AND summed.product_token = asked.product_token
        LEFT JOIN tops
            ON tops.stratum IS NOT DISTINCT FROM strata.stratum AND tops.product_token = asked.product_token
        LEFT JOIN clusters ON clusters.stratum IS NOT DISTINCT FROM strata.stratum AND clusters.cluster = tops.cluster
    )
    SELECT
        stratum,
        product_token,
        n,
        m AS n_domains,
        coalesce(hosts_named, 0)::BIGINT AS hosts_named,
        hosts_full::BIGINT AS hosts_full,
        coalesce(hosts_full_by_name, 0)::BIGINT AS hosts_full_by_name,
        hosts_partial::BIGINT AS hosts_partial,
        coalesce(hosts_partial_by_name, 0)::BIGINT AS hosts_partial_by_name,
        pct(coalesce(named, 0), w) AS pct_named,
        pct_limit(of_named.low) AS pct_named_low,
        pct_limit(of_named.high) AS pct_named_high,
        pct(blocked, w) AS pct_full,
        pct_limit(of_blocked.low) AS pct_full_low,
        pct_limit(of_blocked.high) AS pct_full_high,
        pct(coalesce(by_name, 0), w) AS pct_full_by_name,
        pct_limit(of_by_name.low) AS pct_full_by_name_low,
        pct_limit(of_by_name.high) AS pct_full_by_name_high,
        pct(partly, w) AS pct_partial,
        pct(coalesce(partly_by_name, 0), w) AS pct_partial_by_name,
        pct(greatest(0, w - blocked - partly), w) AS pct_none,
        pct(hosts_full, n) AS pct_full_of_hosts,
        pct(full_of_domains, m) AS pct_full_of_domains,
        top_domain,
        pct(hosts_of_top_domain, hosts_full) AS pct_of_top_domain,
        interval_note(of_blocked, drawn) AS no_interval
    FROM totals;

-- The same with intervals that take inputs as clusters, in crawls whose inputs were drawn at random; what is
-- said of domains stays as it is.
CREATE OR REPLACE MACRO agent_shares_of_inputs(tokens, statement) AS TABLE
    SELECT of_domains.* REPLACE (
        of_inputs.pct_named_low AS pct_named_low,
        of_inputs.pct_named_high AS pct_named_high,
        of_inputs.pct_full_low AS pct_full_low,
        of_inputs.pct_full_high AS pct_full_high,
        of_inputs.pct_full_by_name_low AS pct_full_by_name_low,
        of_inputs.pct_full_by_name_high AS pct_full_by_name_high,
        of_inputs.no_interval AS no_interval
    )
    FROM agent_shares_of_clusters(
        tokens,
        'SELECT * REPLACE (domain_number AS cluster) FROM (' || statement || ')'
    ) AS of_domains
    LEFT JOIN agent_shares_of_clusters(tokens, statement) AS of_inputs
        ON of_inputs.stratum IS NOT DISTINCT FROM of_domains.stratum
        AND of_inputs.product_token = of_domains.product_token;

-- What of the two a dataset needs, as text, so that DuckDB is not given the other. The tokens are found once.
CREATE OR REPLACE MACRO agent_shares(tokens, statement) AS TABLE
    WITH listed AS MATERIALIZED (SELECT tokens AS found)
    FROM query(
        if(len(sampled_crawls()) = 0, 'FROM agent_shares_of_clusters', 'FROM agent_shares_of_inputs')
            || '((SELECT found FROM listed), ' || sql_text(statement) || ')'
    );

-- Says where a share by host and one by domain differ by a factor of 1.5 or more, and which domain has
-- most of the hosts that count; null elsewhere.
CREATE OR REPLACE MACRO share_note(of_hosts, of_domains, top_domain, pct_of_top_domain) AS
    CASE
        WHEN greatest(of_hosts, of_domains) >= 1.5 * least(of_hosts, of_domains) AND of_hosts <> of_domains THEN
            of_hosts || '% of hosts, ' || of_domains || '% of domains'
            || coalesce('; ' || top_domain || ' has ' || pct_of_top_domain || '% of the hosts that count', '')
    END;

-- Percentage points to two decimals, never -0.
CREATE OR REPLACE MACRO pct_of(points) AS round(points, 2) + 0.0;

-- Strata of ranks, in order: "top N", cumulative, "A to B", disjoint, "unranked" and "all".
CREATE OR REPLACE MACRO rank_strata(tops) AS TABLE
    WITH ends AS (
        SELECT number, tops[number] AS last, if(number = 1, 1, tops[number - 1] + 1) AS first
        FROM (SELECT unnest(range(1, len(tops) + 1)) AS number)
    )
    SELECT 'top ' || last AS stratum, 1 AS first, last, number AS position FROM ends
    UNION ALL
    SELECT first || ' to ' || last, first, last, 1000 + number FROM ends WHERE number > 1
    UNION ALL
    SELECT 'unranked', NULL, NULL, 2000
    UNION ALL
    SELECT 'all', NULL, NULL, 3000;

-- The hosts of a statement with the strata that they are in.
CREATE OR REPLACE MACRO hosts_in_strata(statement, path, tops) AS TABLE
    SELECT strata.stratum, hosts.*
    FROM query('FROM ' || statement) AS hosts
    LEFT JOIN host_ranks_of(path) AS ranked USING (url_host_name)
    JOIN rank_strata(tops) AS strata
        ON strata.stratum = 'all'
        OR rank BETWEEN strata.first AND strata.last
        OR (strata.stratum = 'unranked' AND rank IS NULL AND path IS NOT NULL);
CREATE OR REPLACE MACRO ranked_hosts(statement, path, tops) AS TABLE
    FROM query(
        'FROM hosts_in_strata(' || sql_text(statement) || ', ' || sql_text(path) || ', ' || tops::VARCHAR || ')'
    );

-- The hosts of a population in one crawl, each with its weight: what queries count. host_files_by has the
-- counts of their files too, which takes a join.
CREATE OR REPLACE MACRO hosts_by(population, label, unit, weights) AS TABLE
    FROM query('FROM ' || hosts_sql(population, label, unit, weights));
CREATE OR REPLACE MACRO host_files_by(population, label, unit, weights) AS TABLE
    FROM query('FROM ' || host_files_sql(population, label, unit, weights));
