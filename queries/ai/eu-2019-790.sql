-- Where do files cite the text and data mining opt-out of Directive (EU) 2019/790?
-- Keywords: copyright, TDM, text and data mining, opt-out, directive, article 4, law.
-- Reproduces: files that cite EU 2019/790 (thunderbit's AI crawler study: 275 of the Tranco top 10k).
-- Denominator: hosts of the TLD with a robots.txt (n); "all" is every TLD. by_template: citing hosts whose file was
--   partly written by a platform.
CREATE OR REPLACE MACRO eu_2019_790(crawl := NULL, "by" := 'host', weights := NULL, top := 25) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            * REPLACE (unnest([coalesce(group_name(url_host_tld), '(address)'), 'all']) AS stratum),
            true AS part, platform IS NOT NULL AS by_template
        FROM host_files_by('with_file', crawl, "by", weights)
    ),
    citing AS (FROM population WHERE mentions_eu_2019_790)
    SELECT
        stratum AS tld, hosts AS hosts_citing, share AS pct_of_hosts_with_file, pct_low, pct_high, by_template,
        n, population, unit, shares.crawl, note
    FROM summed_shares('citing', 'population', 'one_part', sums := ['by_template']) AS shares
    ORDER BY tld = 'all' DESC, hosts_citing DESC, n DESC, tld
    LIMIT top;
