-- Half the width of the 95% interval of a share, by the linearised ratio estimator over domains as
-- clusters: of hosts of one domain only what the domain does counts as evidence. Given are sums over
-- m domains: y of what is counted, w of the weights, yy, yw and ww of their squares and products.
-- Null where there is nothing to estimate from: one domain, or no domain or every one counted, up to
-- what rounding leaves of sums of weights.
CREATE OR REPLACE MACRO share_margin(y, yy, yw, w, ww, m) AS
    CASE
        WHEN m > 1 AND yy > 0 AND NOT (abs(yw - yy) <= 1e-9 * ww AND abs(ww - yw) <= 1e-9 * ww) THEN
            1.959964 * sqrt(m / (m - 1.0) * greatest(0, yy - 2 * (y / w) * yw + (y / w) * (y / w) * ww)) / w
    END;
CREATE OR REPLACE MACRO pct_low(y, yy, yw, w, ww, m) AS
    CASE WHEN share_margin(y, yy, yw, w, ww, m) IS NOT NULL THEN
        round(100 * greatest(0, y / w - share_margin(y, yy, yw, w, ww, m)), 2) + 0.0
    END;
CREATE OR REPLACE MACRO pct_high(y, yy, yw, w, ww, m) AS
    CASE WHEN share_margin(y, yy, yw, w, ww, m) IS NOT NULL THEN
        round(100 * least(1, y / w + share_margin(y, yy, yw, w, ww, m)), 2) + 0.0
    END;

-- The same for a change in percentage points, of which y is what is counted after less what before: it
-- may be below zero.
CREATE OR REPLACE MACRO change_low(y, yy, yw, w, ww, m) AS
    pct(y - w * share_margin(y, yy, yw, w, ww, m), w);
CREATE OR REPLACE MACRO change_high(y, yy, yw, w, ww, m) AS
    pct(y + w * share_margin(y, yy, yw, w, ww, m), w);

-- What a row that stands for a cluster, or for hosts that are each one by itself (cluster null), adds to a
-- sum of products over clusters, and to their number: `alone` is the sum of the products of such hosts.
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
-- A row of the answer has a stratum and part, share (per cent), low and high (the ends of its interval).
-- Null is a stratum, and a part, like any other; a part that is not counted has no row.
CREATE OR REPLACE MACRO shares_of(counted, whole) AS TABLE
    WITH clusters_of_whole AS MATERIALIZED (
        SELECT stratum, cluster, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM query(whole)
        GROUP BY ALL
    ),
    sums_of_whole AS (
        SELECT
            stratum,
            sum(cluster_count(cluster, hosts)) AS m,
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
        sums_counted.stratum,
        part,
        pct(y, w) AS share,
        pct_low(y, yy, yw, w, ww, m) AS low,
        pct_high(y, yy, yw, w, ww, m) AS high
    FROM sums_counted
    JOIN sums_of_whole ON sums_of_whole.stratum IS NOT DISTINCT FROM sums_counted.stratum;

-- The sums over domains that a share and its interval take: of a measure's hosts (y_n) and their weight (y),
-- and of its population's (n, w), in each; a row stands for this many alike (times), and has the sums of
-- all of them. By domain, each domain of the population weighs 1, whatever hosts it has beside them.
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
            ww,
            hosts_named,
            hosts_full_by_name,
            hosts_partial_by_name,
            strata.hosts_full * obeys_wildcard::INTEGER + coalesce(more_full, 0) AS hosts_full,
            strata.hosts_partial * obeys_wildcard::INTEGER + coalesce(more_partial, 0) AS hosts_partial,
            named,
            named_yy,
            named_yw,
            by_name,
            by_name_yy,
            by_name_yw,
            partly_by_name,
            strata.blocked * obeys_wildcard::INTEGER + coalesce(more_blocked, 0) AS blocked,
            blocked_yy * obeys_wildcard::INTEGER + coalesce(more_blocked_yy, 0) AS blocked_yy,
            blocked_yw * obeys_wildcard::INTEGER + coalesce(more_blocked_yw, 0) AS blocked_yw,
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
        pct_low(named, named_yy, named_yw, w, ww, m) AS pct_named_low,
        pct_high(named, named_yy, named_yw, w, ww, m) AS pct_named_high,
        pct(blocked, w) AS pct_full,
        -- Sums of differences end near 0, not at it.
        if(hosts_full IN (0, n), NULL, pct_low(blocked, blocked_yy, blocked_yw, w, ww, m)) AS pct_full_low,
        if(hosts_full IN (0, n), NULL, pct_high(blocked, blocked_yy, blocked_yw, w, ww, m)) AS pct_full_high,
        pct(coalesce(by_name, 0), w) AS pct_full_by_name,
        pct_low(by_name, by_name_yy, by_name_yw, w, ww, m) AS pct_full_by_name_low,
        pct_high(by_name, by_name_yy, by_name_yw, w, ww, m) AS pct_full_by_name_high,
        pct(partly, w) AS pct_partial,
        pct(coalesce(partly_by_name, 0), w) AS pct_partial_by_name,
        pct(greatest(0, w - blocked - partly), w) AS pct_none,
        pct(hosts_full, n) AS pct_full_of_hosts,
        pct(full_of_domains, m) AS pct_full_of_domains,
        top_domain,
        pct(hosts_of_top_domain, hosts_full) AS pct_of_top_domain
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
        of_inputs.pct_full_by_name_high AS pct_full_by_name_high
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

-- The crawl that another is compared with: the one before it, by label, where none is named.
CREATE OR REPLACE MACRO crawl_before(label, before) AS
    CASE
        WHEN before IS NOT NULL THEN known_crawl(before)
        WHEN list_position(crawl_labels(), known_crawl(label)) > 1 THEN
            crawl_labels()[list_position(crawl_labels(), known_crawl(label)) - 1]
        ELSE known_crawl(label)
    END;

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

-- The hosts of a statement with the strata that they are in; without ranks, all.
CREATE OR REPLACE MACRO hosts_in_strata(statement, path, tops) AS TABLE
    SELECT strata.stratum, hosts.*
    FROM query('FROM ' || statement) AS hosts
    LEFT JOIN host_ranks_of(path) AS ranked USING (url_host_name)
    JOIN rank_strata(tops) AS strata
        ON strata.stratum = 'all'
        OR rank BETWEEN strata.first AND strata.last
        OR (strata.stratum = 'unranked' AND rank IS NULL AND path IS NOT NULL);
CREATE OR REPLACE MACRO ranked_hosts(statement, path, tops) AS TABLE
    FROM query(CASE
        WHEN path IS NULL THEN 'SELECT ''all'' AS stratum, hosts.* FROM ' || statement || ' AS hosts'
        ELSE 'FROM hosts_in_strata(' || sql_text(statement) || ', ' || sql_text(path) || ', ' || tops::VARCHAR || ')'
    END);

-- The hosts of a population in one crawl, each with its weight: what queries count. host_files_by has the
-- counts of their files too, which takes a join.
CREATE OR REPLACE MACRO hosts_by(population, label, unit, weights) AS TABLE
    FROM query('FROM ' || hosts_sql(population, label, unit, weights));
CREATE OR REPLACE MACRO host_files_by(population, label, unit, weights) AS TABLE
    FROM query('FROM ' || host_files_sql(population, label, unit, weights));
