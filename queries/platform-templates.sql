-- How much of what hosts say about AI crawlers do platforms say for them?
--
-- Topic: Size and structure.
-- Reproduces: the share of a vendor's managed template of thunderbit's AI crawler study (4.5% of files).
-- Denominator: hosts, each once per crawl, with a file that has rules (n); shares but the first are of
--   the row's hosts. template: files of which a platform wrote a part (files.platform), whatever the
--   owner added; own: the others. owner-choices tells who wrote the blocks themselves. AI agents are
--   those of the catalogue; blocking: no path open, by name. 95% intervals, with
--   registrable domains as clusters.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO platform_templates(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT
            if(platform IS NULL, 'own', 'template') AS stratum,
            cluster,
            hosts,
            weight,
            squares,
            host_files.policy_id,
            named.policy_id IS NOT NULL AS names_one,
            blocked
        FROM host_files_by('with_rules', crawl, "by", weights) AS host_files
        LEFT JOIN ai_agents_named AS named ON named.policy_id = host_files.policy_id
    ),
    shares AS (
        FROM shares_of('SELECT *, true AS part FROM crawled WHERE blocked > 0', 'FROM crawled', 'SELECT true AS part')
    )
    SELECT
        stratum AS made_by,
        count(*) AS hosts_with_rules,
        pct(sum(weight), sum(sum(weight)) OVER ()) AS pct_of_hosts_with_rules,
        pct(coalesce(sum(weight) FILTER (names_one), 0), sum(weight)) AS pct_naming_ai_agents,
        pct(coalesce(sum(weight) FILTER (blocked > 0), 0), sum(weight)) AS pct_blocking_ai_agents,
        any_value(low) AS pct_blocking_low,
        any_value(high) AS pct_blocking_high,
        round(avg(blocked) FILTER (blocked > 0), 2) AS mean_ai_agents_blocked,
        count(DISTINCT policy_id) AS policies,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        any_value(note) AS note
    FROM crawled
    LEFT JOIN shares USING (stratum)
    GROUP BY stratum
    ORDER BY made_by;
