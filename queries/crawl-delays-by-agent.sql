-- Of which crawlers do hosts ask a crawl delay, and how long?
--
-- Topic: Rules, directives and mistakes.
-- Reproduces: crawl delays by robot of Sun et al., WWW 2007 (web robot regulation).
-- Denominator: hosts, each once per crawl, whose file names the crawler (n); delays are seconds, the
--   first numeric one that holds for its user-agent lines. 95% intervals, with registrable
--   domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (30).
CREATE OR REPLACE MACRO crawl_delays_by_agent(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 30
) AS TABLE
    WITH of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_file', crawl, "by", weights)
        GROUP BY ALL
    ),
    most AS MATERIALIZED (
        SELECT product_token, sum(hosts) AS hosts
        FROM agents
        JOIN of_clusters USING (policy_id)
        WHERE crawl_delay IS NOT NULL
        GROUP BY product_token
        ORDER BY hosts DESC, product_token
        LIMIT top
    ),
    naming AS MATERIALIZED (
        SELECT product_token AS stratum, cluster, hosts, weight, squares, crawl_delay, n_rules
        FROM agents
        SEMI JOIN most ON most.product_token = token_as_read(agents.product_token)
        JOIN of_clusters USING (policy_id)
    ),
    -- How many hosts ask for a delay up to each.
    delays AS (
        SELECT stratum, crawl_delay, sum(sum(hosts)) OVER (PARTITION BY stratum ORDER BY crawl_delay) AS up_to,
            sum(sum(hosts)) OVER (PARTITION BY stratum) AS delaying
        FROM naming
        WHERE crawl_delay IS NOT NULL
        GROUP BY stratum, crawl_delay
    ),
    quantiles AS (
        SELECT
            stratum,
            min(crawl_delay) FILTER (up_to >= 0.25 * delaying) AS p25_seconds,
            min(crawl_delay) FILTER (up_to >= 0.5 * delaying) AS median_seconds,
            min(crawl_delay) FILTER (up_to >= 0.75 * delaying) AS p75_seconds,
            max(crawl_delay) AS max_seconds
        FROM delays
        GROUP BY stratum
    ),
    counted AS (
        SELECT
            stratum,
            sum(hosts) FILTER (crawl_delay IS NOT NULL)::BIGINT AS hosts_with_delay,
            coalesce(sum(hosts) FILTER (crawl_delay > 0 AND n_rules = 0), 0)::BIGINT AS hosts_with_nothing_else,
            sum(hosts)::BIGINT AS n
        FROM naming
        GROUP BY stratum
    )
    SELECT
        stratum AS product_token,
        hosts_with_delay,
        share AS pct_of_hosts_naming,
        low AS pct_low,
        high AS pct_high,
        p25_seconds,
        median_seconds,
        p75_seconds,
        max_seconds,
        hosts_with_nothing_else,
        n,
        'naming the crawler' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), note) AS note
    FROM counted
    JOIN quantiles USING (stratum)
    JOIN shares_of('SELECT *, true AS part FROM naming WHERE crawl_delay IS NOT NULL', 'FROM naming') USING (stratum)
    ORDER BY hosts_with_delay DESC, product_token;
