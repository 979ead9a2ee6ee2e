-- Which top-level domains are in the corpus, and how do their hosts answer?
-- Keywords: countries, country, ccTLD, region, com, org, de.
-- Reproduces: the corpus by TLD (Dinzinger's survey; thunderbit's study).
-- Denominator: hosts of the TLD; pct_of_hosts is the TLD's share of all hosts (n).
CREATE OR REPLACE MACRO tlds(crawl := NULL, "by" := 'host', weights := NULL, top := 40) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT * REPLACE (coalesce(url_host_tld, '(address)') AS stratum), true AS part
        FROM host_files_by('captured', crawl, "by", weights)
    ),
    having_rules AS (FROM population WHERE has_rules),
    counts AS (
        SELECT
            stratum, count(DISTINCT domain) AS domains,
            pct_where(response_class = 'allow_all', weight) AS pct_allow_all,
            pct_where(response_class IN ('forbidden', 'defer'), weight) AS pct_errors,
            (median(content_length) FILTER (has_rules))::BIGINT AS median_bytes
        FROM population
        GROUP BY stratum
    )
    SELECT
        stratum AS tld, n AS hosts, pct(total_weight, sum(total_weight) OVER ()) AS pct_of_hosts, domains,
        share AS pct_with_rules, pct_low AS pct_with_rules_low, pct_high AS pct_with_rules_high,
        pct_allow_all, pct_errors, median_bytes,
        sum(shares.n) OVER ()::BIGINT AS n, population, unit, shares.crawl, note
    FROM shares('having_rules', 'population', 'one_part') AS shares
    JOIN counts USING (stratum)
    ORDER BY hosts DESC, tld
    LIMIT top;
