-- Which crawlers do hosts name, crawl after crawl?
--
-- Topic: Who is named.
-- Reproduces: agents by year of Common Crawl's robots.txt experiments; top product tokens per year of
--   Dinzinger's survey.
-- Denominator: hosts, each once per crawl, whose file has rules (n). 95% intervals,
--   with registrable domains as clusters.
-- Parameters: agents (the 10 of the catalogue that most policies name), by (host; domain: each
--   registrable domain weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO agent_adoption_over_time(
    agents VARCHAR[] := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(10))) AS product_token
    ),
    crawled AS MATERIALIZED (
        SELECT crawl_number(crawl) AS stratum, cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM query('FROM ' || all_hosts_sql('with_rules', "by", weights))
        GROUP BY ALL
    ),
    total AS (
        SELECT stratum, sum(hosts)::BIGINT AS n FROM crawled GROUP BY stratum
    ),
    naming AS MATERIALIZED (
        SELECT stratum, product_token AS part, cluster, hosts, weight, squares
        FROM crawled
        JOIN (FROM agents WHERE product_token IN (FROM chosen)) AS agents USING (policy_id)
    ),
    named AS (
        SELECT stratum, part, sum(hosts)::BIGINT AS hosts FROM naming GROUP BY ALL
    )
    SELECT
        chosen.product_token,
        crawl_labels()[total.stratum] AS crawl,
        coalesce(hosts, 0) AS hosts,
        coalesce(share, 0) AS pct_of_hosts_with_rules,
        low AS pct_low,
        high AS pct_high,
        n,
        'with_rules' AS population,
        "by" AS unit,
        joined_notes(joined_notes(unannounced.note, order_note(crawl_labels()[total.stratum])), shares.note) AS note
    FROM total
    CROSS JOIN chosen
    LEFT JOIN named ON named.stratum = total.stratum AND named.part = chosen.product_token
    LEFT JOIN shares_of('FROM naming', 'FROM crawled', 'SELECT part FROM naming') AS shares
        ON shares.stratum = total.stratum AND shares.part = chosen.product_token
    LEFT JOIN unannounced_agents AS unannounced
        ON unannounced.product_token = chosen.product_token
        AND unannounced.crawl = crawl_labels()[total.stratum]
    ORDER BY chosen.product_token, total.stratum;
