-- Shares of weights with their 95% intervals: FROM shares('counted', 'population'). Both are names of CTEs (or
-- views) with a row for each host, or whatever else is counted:
--   population   stratum, cluster, weight: all that a share is of
--   counted      stratum, part, cluster, weight: the rows of the population that count as the part
-- The answer has a row for each stratum and part that is counted, and for those of a third CTE (part), counted
-- or not:
--   hosts, weight     the rows that count, and their weights together
--   n, total_weight   the same of the population
--   share, low, high  per cent: the share of the weight, and the limits of its interval
--   exact             the same, not rounded, between 0 and 1 (share_interval)
--   note              the reason for a missing interval
-- Null is a stratum, and a part, like any other. Where cluster is null, each row is a cluster of its own
-- (cluster_of): the sum of their squares takes the place of the square of the sum.
CREATE OR REPLACE MACRO shares(counted, population, parts := 'no_parts') AS TABLE
    WITH clusters_of_all AS MATERIALIZED (
        SELECT stratum, cluster, count(*) AS hosts, sum(weight) AS weight, sum(weight * weight) AS squares
        FROM query_table(population)
        GROUP BY ALL
    ),
    sums_of_all AS (
        SELECT
            stratum,
            sum(hosts)::BIGINT AS n,
            sum(weight) AS w,
            sum(if(cluster IS NULL, squares, weight * weight)) AS ww,
            min(drawn_part(cluster)) AS drawn
        FROM clusters_of_all
        GROUP BY stratum
    ),
    clusters_of_part AS (
        SELECT stratum, part, cluster, count(*) AS hosts, sum(weight) AS y, sum(weight * weight) AS squares
        FROM query_table(counted)
        GROUP BY ALL
    ),
    sums_of_part AS (
        SELECT
            of_part.stratum,
            part,
            sum(of_part.hosts)::BIGINT AS hosts,
            sum(y) AS y,
            sum(if(of_part.cluster IS NULL, of_part.squares, y * y)) AS yy,
            sum(if(of_part.cluster IS NULL, of_part.squares, y * weight)) AS yw
        FROM clusters_of_part AS of_part
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
        stratum,
        part,
        hosts,
        y AS weight,
        n,
        w AS total_weight,
        pct(y, w) AS share,
        pct_limit(exact.low) AS low,
        pct_limit(exact.high) AS high,
        exact,
        interval_note(exact, drawn) AS note
    FROM (
        SELECT
            listed.*,
            coalesce(hosts, 0) AS hosts,
            coalesce(sums_of_part.y, 0) AS y,
            n,
            w,
            drawn,
            share_interval(sums_of_part.y, yy, yw, w, ww, drawn) AS exact
        FROM listed
        JOIN sums_of_all ON sums_of_all.stratum IS NOT DISTINCT FROM listed.stratum
        LEFT JOIN sums_of_part
            ON sums_of_part.stratum IS NOT DISTINCT FROM listed.stratum
            AND sums_of_part.part IS NOT DISTINCT FROM listed.part
    );

-- No part, and one.
CREATE OR REPLACE VIEW no_parts AS SELECT NULL AS part LIMIT 0;
CREATE OR REPLACE VIEW one_part AS SELECT true AS part;

-- The same by registrable domain, where both CTEs also have domain_number, and population has domain:
--   n_domains, domains   domains of the population, and those with a host that counts
--   share_of_domains     the share where each domain weighs the same, divided among its hosts; per cent
--   top_domain           of the domains with several hosts the one with most hosts that count, and
--   share_of_top_domain  the part of the counted hosts that it has; per cent
--   note                 where the share by host and the share by domain differ by a factor of 1.5 or more
CREATE OR REPLACE MACRO domain_counts(counted, population) AS TABLE
    WITH domains_of_all AS MATERIALIZED (
        SELECT stratum, domain_number, count(*) AS hosts, any_value(domain) AS domain
        FROM query_table(population)
        GROUP BY ALL
    ),
    numbers_of_all AS (
        SELECT stratum, sum(hosts)::BIGINT AS n, sum(if(domain_number IS NULL, hosts, 1))::BIGINT AS n_domains
        FROM domains_of_all
        GROUP BY stratum
    ),
    domains_of_part AS (
        SELECT stratum, part, domain_number, count(*) AS hosts FROM query_table(counted) GROUP BY ALL
    ),
    numbers_of_part AS (
        SELECT
            of_part.stratum,
            part,
            sum(of_part.hosts)::BIGINT AS hosts,
            sum(if(domain_number IS NULL, of_part.hosts, 1))::BIGINT AS domains,
            sum(if(domain_number IS NULL, of_part.hosts, of_part.hosts / of_all.hosts)) AS equal_domains,
            arg_min(domain, (-of_part.hosts, domain)) FILTER (domain_number IS NOT NULL) AS top_domain,
            max(of_part.hosts) FILTER (domain_number IS NOT NULL) AS hosts_of_top_domain
        FROM (SELECT * RENAME (domain_number AS number) FROM domains_of_part) AS of_part
        JOIN domains_of_all AS of_all
            ON of_all.stratum IS NOT DISTINCT FROM of_part.stratum
            AND of_all.domain_number IS NOT DISTINCT FROM of_part.number
        GROUP BY ALL
    )
    SELECT
        numbers_of_part.stratum,
        part,
        n_domains,
        domains,
        pct(equal_domains, n_domains) AS share_of_domains,
        top_domain,
        pct(hosts_of_top_domain, hosts) AS share_of_top_domain,
        CASE
            WHEN greatest(pct(hosts, n), share_of_domains) >= 1.5 * least(pct(hosts, n), share_of_domains)
                AND pct(hosts, n) <> share_of_domains
                THEN pct(hosts, n) || '% of hosts, ' || share_of_domains || '% of domains'
                    || coalesce('; ' || top_domain || ' has ' || share_of_top_domain || '% of the hosts that count', '')
        END AS note
    FROM numbers_of_part
    JOIN numbers_of_all ON numbers_of_all.stratum IS NOT DISTINCT FROM numbers_of_part.stratum;

-- What hosts answer each of some product tokens, in shares with intervals. The CTE population has the columns
-- of hosts_by. A row for each stratum and token:
--   n, n_domains             hosts and registrable domains of the stratum
--   hosts_named, hosts_full, hosts_full_by_name, hosts_partial, hosts_partial_by_name   counts
--   pct_named, pct_full, …   shares of the weights; pct_…_low and _high: the limits of their intervals
--   pct_full_of_hosts, pct_full_of_domains   pct_full where every host, and every domain, weighs the same
--   domain_note, no_interval where these two differ much; the reason for missing intervals
-- A policy without rules is as none: it blocks nobody.
CREATE OR REPLACE MACRO agent_shares(tokens, population) AS TABLE
    WITH ruled AS MATERIALIZED (
        SELECT
            stratum, if(has_rules, policy_id, NULL) AS policy_id, cluster, domain_number, domain, weight
        FROM query_table(population)
    ),
    says AS (
        SELECT policy_id, product_token, 'full' AS says FROM blocking_policies(tokens)
        UNION ALL
        SELECT policy_id, product_token, unnest(if(restriction = 'full', ['named', 'full_by_name'], ['named']))
        FROM named_agents_of(tokens)
        WHERE source = 'own'
    ),
    saying AS MATERIALIZED (
        SELECT stratum, {'token': product_token, 'says': says} AS part, cluster, domain_number, weight
        FROM ruled
        JOIN says USING (policy_id)
    ),
    sayings AS (
        SELECT {'token': product_token, 'says': unnest(['named', 'full', 'full_by_name'])} AS part
        FROM asked_agents(tokens)
    ),
    shares_said AS (
        SELECT
            stratum,
            part.token AS product_token,
            any_value(share) FILTER (part.says = 'named') AS pct_named,
            any_value(low) FILTER (part.says = 'named') AS pct_named_low,
            any_value(high) FILTER (part.says = 'named') AS pct_named_high,
            any_value(share) FILTER (part.says = 'full') AS pct_full,
            any_value(low) FILTER (part.says = 'full') AS pct_full_low,
            any_value(high) FILTER (part.says = 'full') AS pct_full_high,
            any_value(note) FILTER (part.says = 'full') AS no_interval,
            any_value(share) FILTER (part.says = 'full_by_name') AS pct_full_by_name,
            any_value(low) FILTER (part.says = 'full_by_name') AS pct_full_by_name_low,
            any_value(high) FILTER (part.says = 'full_by_name') AS pct_full_by_name_high
        FROM shares('saying', 'ruled', 'sayings')
        GROUP BY ALL
    ),
    counts AS (
        SELECT
            stratum,
            product_token,
            sum(hosts)::BIGINT AS n,
            coalesce(sum(hosts) FILTER (source = 'own'), 0)::BIGINT AS hosts_named,
            coalesce(sum(hosts) FILTER (restriction = 'full'), 0)::BIGINT AS hosts_full,
            coalesce(sum(hosts) FILTER (restriction = 'full' AND source = 'own'), 0)::BIGINT AS hosts_full_by_name,
            coalesce(sum(hosts) FILTER (restriction = 'partial'), 0)::BIGINT AS hosts_partial,
            coalesce(sum(hosts) FILTER (restriction = 'partial' AND source = 'own'), 0)::BIGINT
                AS hosts_partial_by_name,
            pct(coalesce(sum(weight) FILTER (restriction = 'partial'), 0), sum(weight)) AS pct_partial,
            pct(coalesce(sum(weight) FILTER (restriction = 'partial' AND source = 'own'), 0), sum(weight))
                AS pct_partial_by_name,
            pct(coalesce(sum(weight) FILTER (restriction = 'none'), 0), sum(weight)) AS pct_none,
            pct(hosts_full, n) AS pct_full_of_hosts
        FROM counted_answers(tokens, 'ruled')
        GROUP BY ALL
    ),
    domains_of_strata AS (
        SELECT stratum, (count(DISTINCT domain_number) + count(*) FILTER (domain_number IS NULL))::BIGINT AS n_domains
        FROM ruled
        GROUP BY ALL
    )
    SELECT
        counts.*,
        domains_of_strata.n_domains,
        shares_said.* EXCLUDE (stratum, product_token),
        coalesce(share_of_domains, 0.0) AS pct_full_of_domains,
        domain_counts.note AS domain_note
    FROM counts
    JOIN domains_of_strata ON domains_of_strata.stratum IS NOT DISTINCT FROM counts.stratum
    JOIN shares_said
        ON shares_said.stratum IS NOT DISTINCT FROM counts.stratum
        AND shares_said.product_token = counts.product_token
    LEFT JOIN domain_counts('saying', 'ruled') AS domain_counts
        ON domain_counts.stratum IS NOT DISTINCT FROM counts.stratum
        AND domain_counts.part = {'token': counts.product_token, 'says': 'full'};

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

CREATE OR REPLACE MACRO is_in_stratum(rank, stratum) AS
    stratum.stratum = 'all'
    OR rank BETWEEN stratum.first AND stratum.last
    OR (stratum.stratum = 'unranked' AND rank IS NULL);
