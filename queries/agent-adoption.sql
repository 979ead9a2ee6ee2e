-- Which crawlers do hosts name in their robots.txt?
--
-- Topic: Who is named.
-- Reproduces: the most frequent user agents of the Web Almanac (SEO chapter), of Dinzinger's
--   robots.txt survey (top product tokens per year), and of Common Crawl's robots.txt experiments.
-- Denominator: pct_named is of the population, hosts with rules unless another is asked for (n);
--   pct_of_captured of all hosts captured, whatever they answered. A host counts once per crawl, by its
--   row in `hosts`. Common Crawl calls an agent addressed only if it has rules: that is hosts_with_rules.
--   The interval is that of 95%, with registrable domains as clusters.
-- Parameters: agents (those that most hosts name), crawl (the last one in time), population
--   (with_rules; captured, answered, with_file), by (host; domain, weight), weights (path of a CSV or
--   Parquet file of domain and weight), top (30).
CREATE OR REPLACE MACRO agent_adoption(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    population VARCHAR := 'with_rules',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            domain_number,
            cluster,
            -- A policy without rules is as none.
            if(has_rules, policy_id, NULL) AS policy_id,
            count(*) AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM hosts_by(population, crawl, "by", weights)
        GROUP BY ALL
    ),
    policy_hosts AS MATERIALIZED (
        SELECT policy_id, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight FROM crawled GROUP BY policy_id
    ),
    -- By policies, which are few; what takes clusters is done for the crawlers that are shown.
    named AS MATERIALIZED (
        SELECT
            product_token,
            arg_min(user_agent_raw, (-spelt.hosts, user_agent_raw)) AS usual_spelling,
            sum(spelt.hosts)::BIGINT AS hosts,
            sum(spelt.hosts_with_rules)::BIGINT AS hosts_with_rules,
            sum(weight) AS y
        FROM (
            SELECT
                product_token,
                user_agent_raw,
                sum(hosts) AS hosts,
                sum(hosts * (n_rules > 0)::INTEGER) AS hosts_with_rules,
                sum(weight) AS weight
            FROM policy_hosts
            JOIN agents USING (policy_id)
            WHERE agents IS NULL OR product_token IN (SELECT unnest(known_tokens(agents)))
            GROUP BY ALL
        ) AS spelt
        GROUP BY product_token
        ORDER BY y DESC, product_token
        LIMIT top
    ),
    clusters AS MATERIALIZED (
        SELECT
            cluster,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares
        FROM crawled
        GROUP BY cluster
    ),
    domains AS MATERIALIZED (
        SELECT domain_number, sum(hosts)::BIGINT AS hosts FROM crawled GROUP BY domain_number
    ),
    total AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            (SELECT sum(cluster_count(domain_number, hosts)) FROM domains) AS n_domains,
            min(drawn_part(cluster)) AS drawn,
            sum(weight) AS w,
            sum(cluster_product(cluster, squares, weight, weight)) AS ww
        FROM clusters
    ),
    counted AS MATERIALIZED (
        SELECT
            product_token,
            domain_number,
            cluster,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS y,
            sum(squares) AS squares
        FROM crawled
        JOIN (FROM agents SEMI JOIN named USING (product_token)) AS naming USING (policy_id)
        GROUP BY ALL
    ),
    of_clusters AS (
        SELECT
            product_token,
            sum(cluster_product(counted.cluster, counted.squares, y, y)) AS yy,
            sum(cluster_product(counted.cluster, counted.squares, y, weight)) AS yw
        FROM (
            SELECT product_token, cluster, sum(y) AS y, sum(squares) AS squares FROM counted GROUP BY ALL
        ) AS counted
        JOIN clusters ON clusters.cluster IS NOT DISTINCT FROM counted.cluster
        GROUP BY product_token
    ),
    of_domains AS MATERIALIZED (
        SELECT
            product_token,
            sum(cluster_count(counted.domain_number, counted.hosts))::BIGINT AS domains,
            sum(if(counted.domain_number IS NULL, counted.hosts, counted.hosts / domains.hosts)) AS naming_domains,
            arg_min(counted.domain_number, (-counted.hosts, counted.domain_number))
                FILTER (counted.domain_number IS NOT NULL) AS top_number,
            max(counted.hosts) FILTER (counted.domain_number IS NOT NULL) AS hosts_of_top_domain
        FROM (
            SELECT product_token, domain_number, sum(hosts)::BIGINT AS hosts FROM counted GROUP BY ALL
        ) AS counted
        JOIN domains ON domains.domain_number IS NOT DISTINCT FROM counted.domain_number
        GROUP BY product_token
    ),
    names AS (
        SELECT domain_number AS top_number, any_value(domain) AS top_domain
        FROM hosts_in(population, crawl)
        WHERE domain_number IN (SELECT top_number FROM of_domains)
        GROUP BY ALL
    )
    SELECT
        product_token,
        usual_spelling,
        hosts,
        hosts_with_rules,
        domains,
        pct(y, w) AS pct_named,
        pct_limit(found.low) AS pct_low,
        pct_limit(found.high) AS pct_high,
        pct(hosts, population_size('captured', crawl)) AS pct_of_captured,
        n,
        population AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(
            announcement_of(product_token, known_crawl(crawl)),
            joined_notes(
                share_note(pct(hosts, n), pct(naming_domains, n_domains), top_domain, pct(hosts_of_top_domain, hosts)),
                interval_note(found, drawn)
            )
        ) AS note
    FROM (
        SELECT *, share_interval(y, yy, yw, w, ww, drawn) AS found
        FROM named
        JOIN of_clusters USING (product_token)
        JOIN of_domains USING (product_token)
        LEFT JOIN names USING (top_number)
        CROSS JOIN total
    )
    ORDER BY y DESC, product_token;
