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
    WITH crawled AS (
        SELECT domain, policy_id, has_rules, count(*) AS hosts, sum(weight) AS weight
        FROM query('FROM ' || hosts_sql(population, crawl, "by", weights))
        GROUP BY ALL
    ),
    domains AS (
        SELECT domain, sum(hosts) AS hosts, sum(weight) AS weight FROM crawled GROUP BY domain
    ),
    total AS (
        SELECT sum(hosts)::BIGINT AS n, count(*) AS m, sum(weight) AS w, sum(weight * weight) AS ww FROM domains
    ),
    named AS (
        SELECT
            product_token,
            domain,
            user_agent_raw,
            sum(hosts) AS hosts,
            sum(hosts) FILTER (n_rules > 0) AS hosts_with_rules,
            sum(weight) AS weight
        FROM crawled
        JOIN agents USING (policy_id)
        WHERE has_rules AND (agents IS NULL OR product_token IN (SELECT unnest(known_tokens(agents))))
        GROUP BY ALL
    ),
    by_domain AS (
        SELECT product_token, domain, sum(hosts) AS hosts, sum(hosts_with_rules) AS hosts_with_rules, sum(weight) AS y
        FROM named
        GROUP BY ALL
    ),
    spelt AS (
        SELECT product_token, arg_min(user_agent_raw, (-hosts, user_agent_raw)) AS usual_spelling
        FROM (SELECT product_token, user_agent_raw, sum(hosts) AS hosts FROM named GROUP BY ALL)
        GROUP BY product_token
    ),
    summed AS (
        SELECT
            product_token,
            sum(by_domain.hosts)::BIGINT AS hosts,
            coalesce(sum(hosts_with_rules), 0)::BIGINT AS hosts_with_rules,
            count(*) AS domains,
            sum(y) AS y,
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
        pct(hosts, (SELECT count(*) FROM of_crawl('hosts', crawl))) AS pct_of_captured,
        n,
        population AS population,
        "by" AS unit,
        share_note(pct(hosts, n), pct(of_domains, m), top_domain, pct(hosts_of_top_domain, hosts)) AS note
    FROM summed
    JOIN spelt USING (product_token)
    CROSS JOIN total
    ORDER BY y DESC, product_token
    LIMIT top;
