-- How many hosts do published counts of an agent's rules miss, because their scripts form groups
-- otherwise than RFC 9309?
--
-- Topic: How others count.
-- Reproduces: agents with rules, and how much they close, as the scripts behind the figures of Common
--   Crawl (_cc), HTTP Archive (_ha: the Web Almanac) and the Data Provenance Initiative (_dpi) would
--   count them: after the first rule of a file the first and the third give the rules of a group to
--   the last of its user-agent lines alone; the second breaks a stack of such lines at any other
--   line, a sitemap included. See the table grouping_errors.
-- Denominator: hosts, each once per crawl, whose file gives the agent rules by RFC 9309 (hosts);
--   lost: shares of these (n) that a script does not see. The classes are each study's own definition,
--   once over our groups and once (_script) over theirs. An agent is a product token, and lines are
--   read alike, so that what differs differs by grouping. An agent that the third script loses is
--   "none" to it, which the first takes as not addressed.
-- Intervals: none; scripts are compared over the same hosts.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1; weight), weights
--   (path of a CSV or Parquet file of domain and weight), top (40; agents with most hosts).
CREATE OR REPLACE MACRO grouping_errors(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL,
    top INTEGER := 40
) AS TABLE
    WITH crawled AS (
        SELECT file_id, policy_id, count(*) AS hosts, sum(weight) AS weight
        FROM hosts_by('with_rules', crawl, "by", weights)
        WHERE policy_id IS NOT NULL
        GROUP BY ALL
    ),
    kept AS (
        SELECT
            agents.product_token,
            hosts,
            weight,
            coalesce(n_rules_cc > 0, true) AS in_cc,
            coalesce(n_rules_ha > 0, true) AS in_ha,
            coalesce(n_rules_dpi > 0, true) AS in_dpi,
            restriction_cc,
            if(differing.file_id IS NULL, restriction_cc, restriction_cc_script) AS restriction_cc_script,
            restriction_dpi,
            coalesce(restriction_dpi_script, restriction_dpi) AS restriction_dpi_script
        FROM crawled
        JOIN agents USING (policy_id)
        LEFT JOIN agent_grouping_errors AS differing
            ON differing.file_id = crawled.file_id AND differing.product_token = agents.product_token
        WHERE agents.n_rules > 0
    )
    SELECT
        product_token,
        sum(hosts)::BIGINT AS hosts,
        coalesce(sum(hosts) FILTER (in_cc), 0)::BIGINT AS hosts_cc,
        coalesce(sum(hosts) FILTER (in_ha), 0)::BIGINT AS hosts_ha,
        coalesce(sum(hosts) FILTER (in_dpi), 0)::BIGINT AS hosts_dpi,
        pct(coalesce(sum(weight) FILTER (NOT in_cc), 0), sum(weight)) AS pct_lost_cc,
        pct(coalesce(sum(weight) FILTER (NOT in_ha), 0), sum(weight)) AS pct_lost_ha,
        pct(coalesce(sum(weight) FILTER (NOT in_dpi), 0), sum(weight)) AS pct_lost_dpi,
        coalesce(sum(hosts) FILTER (restriction_cc = 'disallow_all'), 0)::BIGINT AS cc_disallow_all,
        coalesce(sum(hosts) FILTER (restriction_cc_script = 'disallow_all'), 0)::BIGINT AS cc_disallow_all_script,
        coalesce(sum(hosts) FILTER (restriction_dpi = 'all'), 0)::BIGINT AS dpi_all,
        coalesce(sum(hosts) FILTER (restriction_dpi_script = 'all'), 0)::BIGINT AS dpi_all_script,
        coalesce(sum(hosts) FILTER (restriction_dpi = 'none'), 0)::BIGINT AS dpi_none,
        coalesce(sum(hosts) FILTER (restriction_dpi_script = 'none'), 0)::BIGINT AS dpi_none_script,
        sum(hosts)::BIGINT AS n,
        'with rules for the agent' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM kept
    GROUP BY product_token
    ORDER BY hosts DESC, product_token
    LIMIT top;
