-- How do groups of sites that you name differ: files, AI crawlers named and blocked?
--
-- Topic: Who may crawl.
-- Reproduces: reputable and other news sites of Steinacker-Olsztyn (2025); lengths, lines and agents by
--   Curlie category of Dinzinger's survey; adoption by sector of Sun et al., WWW 2007.
-- Denominator: hosts of the label, each once per crawl; shares are of those that answered conclusively
--   (with a file, or without one; n), means of those with rules. "all" is every host. Without labels,
--   all. pct_low and pct_high are the ends of the 95% interval of pct_blocking_ai_agents, with
--   registrable domains as clusters.
-- Parameters: crawl (the last one, by label), labels (path of a CSV or Parquet file with domain and
--   label), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO agents_by_label(
    crawl VARCHAR := NULL,
    labels VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH crawled AS (
        SELECT
            url_host_name,
            cluster,
            hosts,
            weight,
            squares,
            policy_id,
            is_settled,
            has_rules,
            content_length,
            n_lines,
            n_agents
        FROM host_files_by('captured', crawl, "by", weights)
    ),
    labelled AS MATERIALIZED (
        SELECT
            label AS stratum,
            crawled.* EXCLUDE (label, url_host_name, policy_id),
            coalesce(agents, 0) AS agents,
            coalesce(blocked, 0) AS blocked
        FROM query('SELECT NULL::VARCHAR AS label, crawled.* FROM crawled' || coalesce(
            ' UNION ALL SELECT label, crawled.* FROM crawled JOIN host_labels_of(' || sql_text(labels)
                || ') USING (url_host_name)',
            ''
        )) AS crawled
        LEFT JOIN ai_agents_named AS named ON named.policy_id = crawled.policy_id
    ),
    shares AS (
        FROM shares_of(
            'SELECT *, true AS part FROM labelled WHERE is_settled AND blocked > 0',
            'FROM labelled WHERE is_settled'
        )
    )
    SELECT
        coalesce(labelled.stratum, 'all') AS label,
        count(*) AS hosts_captured,
        pct(sum(weight) FILTER (has_rules), sum(weight) FILTER (is_settled)) AS pct_with_rules,
        pct(coalesce(sum(weight) FILTER (is_settled AND agents > 0), 0), sum(weight) FILTER (is_settled)) AS pct_naming_ai_agents,
        pct(coalesce(sum(weight) FILTER (is_settled AND blocked > 0), 0), sum(weight) FILTER (is_settled)) AS pct_blocking_ai_agents,
        any_value(low) AS pct_low,
        any_value(high) AS pct_high,
        round(avg(blocked) FILTER (blocked > 0), 2) AS mean_ai_agents_blocked,
        round(avg(content_length) FILTER (has_rules), 0) AS mean_bytes,
        round(avg(n_lines) FILTER (has_rules), 1) AS mean_lines,
        round(avg(n_agents) FILTER (has_rules), 2) AS mean_agents,
        count(*) FILTER (is_settled) AS n,
        'answered' AS population,
        "by" AS unit
    FROM labelled
    LEFT JOIN shares ON shares.stratum IS NOT DISTINCT FROM labelled.stratum
    GROUP BY labelled.stratum
    ORDER BY labelled.stratum NULLS FIRST;
