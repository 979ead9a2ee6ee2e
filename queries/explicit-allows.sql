-- Who allows a crawler everything by name, and is that needed?
--
-- Topic: Who may crawl.
-- Reproduces: explicit allows of AI crawlers of Liu et al., IMC 2025 (figure 4), and of thunderbit's AI
--   crawler study.
-- Denominator: hosts, each once per crawl, whose file names the crawler (n). 95%
--   intervals, with registrable domains as clusters.
--   allowed_by_name: everything is allowed in its own group; with_allow: and it has an allow rule, not
--   only an empty disallow; needed: the group for `*` disallows something, so that being named helps.
-- Parameters: crawl (the last one in time), agents (the 25 of the catalogue that most policies
--   name), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO explicit_allows(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(25))) AS product_token
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('with_rules', crawl, "by", weights)
        GROUP BY ALL
    ),
    named AS (
        SELECT
            policy_id,
            product_token,
            restriction = 'none' AS allows,
            n_allow > 0 AS with_allow,
            wildcard_restriction AS of_everybody
        FROM agents
        WHERE token_as_read(product_token) IN (FROM chosen)
    ),
    naming AS MATERIALIZED (
        SELECT product_token AS stratum, cluster, hosts, weight, squares, allows, with_allow, of_everybody
        FROM named
        JOIN of_clusters USING (policy_id)
    ),
    counted AS (
        SELECT
            stratum,
            coalesce(sum(hosts) FILTER (allows), 0)::BIGINT AS allowed_by_name,
            pct(coalesce(sum(weight) FILTER (allows), 0), sum(weight)) AS pct_of_hosts_naming,
            coalesce(sum(hosts) FILTER (allows AND with_allow), 0)::BIGINT AS with_allow,
            coalesce(sum(hosts) FILTER (allows AND of_everybody = 'partial'), 0)::BIGINT AS needed_for_a_part,
            coalesce(sum(hosts) FILTER (allows AND of_everybody = 'full'), 0)::BIGINT AS needed_at_all,
            sum(hosts)::BIGINT AS n
        FROM naming
        GROUP BY stratum
    )
    SELECT
        stratum AS product_token,
        allowed_by_name,
        pct_of_hosts_naming,
        low AS pct_low,
        high AS pct_high,
        with_allow,
        needed_for_a_part,
        needed_at_all,
        n,
        'naming the crawler' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(announcement_of(product_token, known_crawl(crawl)), note) AS note
    FROM counted
    LEFT JOIN shares_of('SELECT *, true AS part FROM naming WHERE allows', 'FROM naming', 'SELECT true AS part') USING (stratum)
    ORDER BY allowed_by_name DESC, product_token;
