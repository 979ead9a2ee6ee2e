-- Which crawlers do hosts name, crawl after crawl?
--
-- Topic: Who is named.
-- Keywords: user agents, trend, series, years, mentioned, growth.
-- Reproduces: agents by year of Common Crawl's robots.txt experiments; top product tokens per year
--   of Dinzinger's survey.
-- Denominator: hosts, each once per crawl, whose file has rules (n).
-- Parameters: agents (the 10 of the catalogue that most policies name), by, weights.
CREATE OR REPLACE MACRO agent_adoption_over_time(
    agents := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(10))) AS part
    ),
    population AS MATERIALIZED (FROM all_hosts_by('with_rules', "by", weights)),
    naming AS (
        SELECT population.*, product_token AS part
        FROM population
        JOIN agents USING (policy_id)
        WHERE product_token IN (SELECT part FROM chosen)
    )
    SELECT
        part AS product_token,
        crawl_labels()[stratum] AS crawl,
        hosts,
        share AS pct_of_hosts_with_rules,
        low AS pct_low,
        high AS pct_high,
        n,
        'with_rules' AS population,
        "by" AS unit,
        joined_notes([
            announcement_of(part, crawl_labels()[stratum]), order_note(crawl_labels()[stratum]), note
        ]) AS note
    FROM shares('naming', 'population', 'chosen') AS shares
    ORDER BY part, stratum;
