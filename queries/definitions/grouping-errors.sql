-- How many hosts do published counts of an agent's rules miss by forming groups differently from
-- RFC 9309?
-- Keywords: parser bugs, methods, blank lines, undercount, replication.
-- Reproduces: agents with rules, as the scripts of Common Crawl (_cc), HTTP Archive (_ha: the Web Almanac) and the Data
--   Provenance Initiative (_dpi) count them. After the first rule of a file, _cc and _dpi give the rules of a group
--   only to the last of its user-agent lines; _ha breaks a stack of such lines at any other line.
-- Denominator: hosts whose file gives the agent rules under RFC 9309 (n); lost: the script sees no rule. Classes (cc_,
--   dpi_) are each study's own, over RFC 9309 groups and (_script) over the groups that its script forms of the same
--   lines. A lost agent is "none" in _dpi, and not addressed in _cc. Intervals: none; scripts are compared over the
--   same hosts.
CREATE OR REPLACE MACRO grouping_errors(crawl := NULL, "by" := 'host', weights := NULL, top := 40) AS TABLE
    -- A pair without differences has no row in agent_grouping_errors; its columns are null here.
    SELECT
        agents.product_token,
        count(*) AS hosts,
        count(*) FILTER (n_rules_cc IS DISTINCT FROM 0) AS hosts_cc,
        count(*) FILTER (n_rules_ha IS DISTINCT FROM 0) AS hosts_ha,
        count(*) FILTER (n_rules_dpi IS DISTINCT FROM 0) AS hosts_dpi,
        pct_where(n_rules_cc = 0, weight) AS pct_lost_cc,
        pct_where(n_rules_ha = 0, weight) AS pct_lost_ha,
        pct_where(n_rules_dpi = 0, weight) AS pct_lost_dpi,
        count(*) FILTER (restriction_cc = 'disallow_all') AS cc_disallow_all,
        count(*) FILTER (if(differing.file_id IS NULL, restriction_cc, restriction_cc_script) = 'disallow_all')
            AS cc_disallow_all_script,
        count(*) FILTER (restriction_dpi = 'all') AS dpi_all,
        count(*) FILTER (coalesce(restriction_dpi_script, restriction_dpi) = 'all') AS dpi_all_script,
        count(*) FILTER (restriction_dpi = 'none') AS dpi_none,
        count(*) FILTER (coalesce(restriction_dpi_script, restriction_dpi) = 'none') AS dpi_none_script,
        count(*) AS n,
        'with rules for the agent' AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        announcement_of(agents.product_token, known_crawl(crawl)) AS note
    FROM hosts_by('with_rules', crawl, "by", weights) AS hosts
    JOIN agents USING (policy_id)
    LEFT JOIN agent_grouping_errors AS differing
        ON differing.file_id = hosts.file_id AND differing.product_token = agents.product_token
    WHERE agents.n_rules > 0
    GROUP BY agents.product_token
    ORDER BY hosts DESC, agents.product_token
    LIMIT top;
