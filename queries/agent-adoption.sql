-- Which crawlers do hosts name in their robots.txt?
--
-- Topic: Who is named.
-- Reproduces: the most frequent user agents of the Web Almanac (SEO chapter), of Dinzinger's
--   robots.txt survey (top product tokens per year), and of Common Crawl's robots.txt experiments.
-- Denominator: pct_named is of the population, hosts with rules unless another is asked for (n);
--   pct_of_captured of all hosts captured, whatever they answered. A host counts once per crawl, by its
--   row in `hosts`. Common Crawl calls an agent addressed only if it has rules: that is hosts_with_rules.
--   The interval is that of 95 %, with registrable domains as clusters.
-- Parameters: agents (those that most hosts name), crawl (the last one, by label), population
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
        SELECT domain, policy_id, has_rules, weight FROM query('FROM ' || hosts_sql(population, crawl, "by", weights))
    ),
    policy_hosts AS MATERIALIZED (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight FROM crawled WHERE has_rules GROUP BY policy_id
    ),
    -- By policies, which are few; what takes domains is done for the crawlers that are shown.
    named AS MATERIALIZED (
        SELECT
            product_token,
            sum(hosts)::BIGINT AS hosts,
            coalesce(sum(hosts) FILTER (n_rules > 0), 0)::BIGINT AS hosts_with_rules,
            sum(weight) AS y
        FROM policy_hosts
        JOIN agents USING (policy_id)
        WHERE agents IS NULL OR product_token IN (SELECT unnest(known_tokens(agents)))
        GROUP BY product_token
        ORDER BY y DESC, product_token
        LIMIT top
    ),
    spelt AS (
        SELECT product_token, arg_min(user_agent_raw, (-hosts, user_agent_raw)) AS usual_spelling
        FROM (
            SELECT product_token, user_agent_raw, sum(hosts) AS hosts
            FROM policy_hosts
            JOIN agents USING (policy_id)
            SEMI JOIN named USING (product_token)
            GROUP BY ALL
        )
        GROUP BY product_token
    ),
    domains AS MATERIALIZED (
        SELECT domain, count(*) AS hosts, sum(weight) AS weight FROM crawled GROUP BY domain
    ),
    total AS (
        SELECT sum(hosts)::BIGINT AS n, count(*) AS m, sum(weight) AS w, sum(weight * weight) AS ww FROM domains
    ),
    by_domain AS (
        SELECT product_token, domain, count(*) AS hosts, sum(weight) AS y
        FROM crawled
        JOIN (SELECT policy_id, product_token FROM agents SEMI JOIN named USING (product_token)) USING (policy_id)
        WHERE has_rules
        GROUP BY ALL
    ),
    clustered AS (
        SELECT
            product_token,
            count(*) AS domains,
            sum(y * y) AS yy,
            sum(y * weight) AS yw,
            sum(by_domain.hosts / domains.hosts) AS of_domains,
            arg_max(domain, (by_domain.hosts, domain)) AS top_domain,
            max(by_domain.hosts) AS hosts_of_top_domain
        FROM by_domain
        JOIN domains USING (domain)
        GROUP BY product_token
    )
    SELECT
        product_token,
        usual_spelling,
        hosts,
        hosts_with_rules,
        domains,
        pct(y, w) AS pct_named,
        pct_low(y, yy, yw, w, ww, m) AS pct_low,
        pct_high(y, yy, yw, w, ww, m) AS pct_high,
        pct(hosts, population_size('captured', crawl)) AS pct_of_captured,
        n,
        population AS population,
        "by" AS unit,
        share_note(pct(hosts, n), pct(of_domains, m), top_domain, pct(hosts_of_top_domain, hosts)) AS note
    FROM named
    JOIN spelt USING (product_token)
    JOIN clustered USING (product_token)
    CROSS JOIN total
    ORDER BY y DESC, product_token;
