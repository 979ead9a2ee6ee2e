-- How many hosts count as blocking a crawler, named or not: by our exact definition and by the three
-- published ones?
--
-- Topic: How others count.
-- Reproduces: "disallow all, allow part, allow all" with fallback to `*` of Common Crawl's robots.txt
--   experiments (cc_), "all, some, none" of the Data Provenance Initiative (dpi_), "full, partial,
--   none" of Liu et al., IMC 2025 (imc_). All over RFC 9309 groups, which their scripts form
--   otherwise: grouping-errors.sql counts what that does.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like), where everything is allowed. Shares are of these (n), in per cent.
-- Intervals: none; definitions are compared over the same hosts. Those of pct_full:
--   agent-restrictions-over-time.
-- Parameters: crawl (the last one in time), agents (the 20 of the catalogue that most policies name),
--   by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet file
--   of domain and weight).
CREATE OR REPLACE MACRO agent_definitions(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(20))) AS product_token
    ),
    crawled AS MATERIALIZED (
        SELECT policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('answered', crawl, "by", weights)
        GROUP BY policy_id
    ),
    -- What hosts would answer if nobody were named, and what they answer more or less because somebody is.
    everybody AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            sum(weight) AS w,
            coalesce(sum(weight) FILTER (restriction = 'full'), 0) AS exact_full,
            coalesce(sum(weight) FILTER (restriction_cc = 'disallow_all'), 0) AS cc_disallow_all,
            coalesce(sum(weight) FILTER (restriction_dpi = 'all'), 0) AS dpi_all,
            coalesce(sum(weight) FILTER (restriction_imc = 'full'), 0) AS imc_full,
            coalesce(sum(weight) FILTER (restriction = 'partial'), 0) AS exact_partial,
            coalesce(sum(weight) FILTER (restriction_cc = 'allow_part'), 0) AS cc_allow_part,
            coalesce(sum(weight) FILTER (restriction_dpi = 'some'), 0) AS dpi_some,
            coalesce(sum(weight) FILTER (restriction_imc = 'partial'), 0) AS imc_partial
        FROM crawled
        LEFT JOIN (FROM agents WHERE product_token = '*') AS agents USING (policy_id)
    ),
    named AS (
        SELECT
            product_token,
            sum(weight * added_to('full', restriction, else_restriction)) AS exact_full,
            sum(weight * added_to('disallow_all', restriction_cc, else_restriction_cc)) AS cc_disallow_all,
            sum(weight * added_to('all', restriction_dpi, else_restriction_dpi)) AS dpi_all,
            sum(weight * added_to('full', restriction_imc, else_restriction_imc)) AS imc_full,
            sum(weight * added_to('partial', restriction, else_restriction)) AS exact_partial,
            sum(weight * added_to('allow_part', restriction_cc, else_restriction_cc)) AS cc_allow_part,
            sum(weight * added_to('some', restriction_dpi, else_restriction_dpi)) AS dpi_some,
            sum(weight * added_to('partial', restriction_imc, else_restriction_imc)) AS imc_partial
        FROM crawled
        JOIN named_agents_of((SELECT list(product_token) FROM chosen)) AS named USING (policy_id)
        GROUP BY product_token
    ),
    counted AS (
        SELECT
            product_token,
            n,
            w,
            if(obeys_wildcard, everybody.exact_full, 0) + coalesce(named.exact_full, 0) AS exact_full,
            if(obeys_wildcard, everybody.cc_disallow_all, 0) + coalesce(named.cc_disallow_all, 0) AS cc_disallow_all,
            if(obeys_wildcard, everybody.dpi_all, 0) + coalesce(named.dpi_all, 0) AS dpi_all,
            if(obeys_wildcard, everybody.imc_full, 0) + coalesce(named.imc_full, 0) AS imc_full,
            if(obeys_wildcard, everybody.exact_partial, 0) + coalesce(named.exact_partial, 0) AS exact_partial,
            if(obeys_wildcard, everybody.cc_allow_part, 0) + coalesce(named.cc_allow_part, 0) AS cc_allow_part,
            if(obeys_wildcard, everybody.dpi_some, 0) + coalesce(named.dpi_some, 0) AS dpi_some,
            if(obeys_wildcard, everybody.imc_partial, 0) + coalesce(named.imc_partial, 0) AS imc_partial
        FROM asked_agents((SELECT list(product_token) FROM chosen))
        CROSS JOIN everybody
        LEFT JOIN named USING (product_token)
        WHERE n > 0
    )
    SELECT
        product_token,
        pct(exact_full, w) AS pct_full,
        pct(cc_disallow_all, w) AS pct_cc_disallow_all,
        pct(dpi_all, w) AS pct_dpi_all,
        pct(imc_full, w) AS pct_imc_full,
        pct(exact_partial, w) AS pct_partial,
        pct(cc_allow_part, w) AS pct_cc_allow_part,
        pct(dpi_some, w) AS pct_dpi_some,
        pct(imc_partial, w) AS pct_imc_partial,
        pct(w - exact_full - exact_partial, w) AS pct_none,
        pct(w - cc_disallow_all - cc_allow_part, w) AS pct_cc_allow_all,
        pct(w - dpi_all - dpi_some, w) AS pct_dpi_none,
        pct(w - imc_full - imc_partial, w) AS pct_imc_none,
        n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted
    ORDER BY pct_full DESC, product_token;
