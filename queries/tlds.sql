-- Which top-level domains are in the corpus, and how do their hosts answer?
--
-- Topic: Responses.
-- Reproduces: the corpus by TLD that Dinzinger's survey and thunderbit's study rest on.
-- Denominator: hosts of the TLD, each once per crawl; pct_of_hosts is the TLD's share of all hosts (n),
--   the others are of the TLD's. 95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), top (40), by (host; domain: each registrable domain
--   weighs 1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO tlds(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            coalesce(url_host_tld, '(address)') AS tld,
            cluster,
            -- Null where the host is the only one of its domain.
            domain_number,
            has_rules,
            response_class,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            sum(squares) AS squares,
            count(url_host_registered_domain) FILTER (domain_number IS NULL) AS domains
        FROM hosts_by('captured', crawl, "by", weights)
        GROUP BY ALL
    ),
    sizes AS (
        SELECT coalesce(url_host_tld, '(address)') AS tld, median(content_length)::BIGINT AS median_bytes
        FROM of_crawl('hosts_with_rules', crawl)
        GROUP BY ALL
    ),
    shares AS (
        FROM shares_of('SELECT tld AS stratum, true AS part, cluster, hosts, weight, squares FROM crawled WHERE has_rules',
            'SELECT tld AS stratum, cluster, hosts, weight, squares FROM crawled',
            'SELECT true AS part')
    ),
    counted AS (
        SELECT
            tld,
            sum(hosts)::BIGINT AS hosts,
            sum(weight) AS weight,
            (sum(domains) + count(DISTINCT domain_number))::BIGINT AS domains,
            coalesce(sum(weight) FILTER (has_rules), 0) AS with_rules,
            coalesce(sum(weight) FILTER (response_class = 'allow_all'), 0) AS allow_all,
            coalesce(sum(weight) FILTER (response_class IN ('forbidden', 'defer')), 0) AS errors
        FROM crawled
        GROUP BY tld
    )
    SELECT
        tld,
        hosts,
        pct(weight, sum(weight) OVER ()) AS pct_of_hosts,
        domains,
        pct(with_rules, weight) AS pct_with_rules,
        low AS pct_with_rules_low,
        high AS pct_with_rules_high,
        pct(allow_all, weight) AS pct_allow_all,
        pct(errors, weight) AS pct_errors,
        median_bytes,
        sum(hosts) OVER ()::BIGINT AS n,
        'captured' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM counted
    LEFT JOIN sizes USING (tld)
    LEFT JOIN shares ON stratum = tld
    ORDER BY hosts DESC, tld
    LIMIT top;
