-- How much of the blocking of AI crawlers is a vendor's default, and how much the host's own choice?
--
-- Topic: AI crawlers together.
-- Reproduces: blocks with and without Cloudflare's managed robots.txt of HasData's block index (2026);
--   vendor templates of thunderbit's AI crawler study.
-- Denominator: the population (n): hosts, each once per crawl, with rules. default: those of whose
--   file a platform wrote a part; own: the others. The owner may have added rules to the former, which
--   owner-choices tells apart. By domain, a host keeps the weight that it has among all hosts with
--   rules: a domain with both kinds of files counts in part in either. Intervals are those of 95%, with registrable domains as clusters.
-- Parameters: agents (the 8 AI agents that most policies name), crawl (the last one, by label), by (host;
--   domain, weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO vendor_default(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_ai_agents(8))) AS product_token
    )
    SELECT
        product_token,
        coalesce(stratum, 'all') AS made_by,
        n,
        hosts_named,
        hosts_full_by_name,
        pct_full_by_name,
        pct_full_by_name_low AS pct_low,
        pct_full_by_name_high AS pct_high,
        'with_rules' AS population,
        "by" AS unit
    FROM agent_shares(
        (SELECT list(product_token) FROM chosen),
        'SELECT unnest([NULL, if(platform IS NULL, ''own'', ''default'')]) AS stratum, * FROM '
            || host_files_sql('with_rules', crawl, "by", weights)
    )
    ORDER BY product_token, made_by;
