-- How do groups of sites that you name differ: files, AI crawlers named and blocked?
--
-- Topic: Who may crawl.
-- Reproduces: reputable and other news sites of Steinacker-Olsztyn (2025); lengths, lines and agents by
--   Curlie category of Dinzinger's survey; adoption by sector of Sun et al., WWW 2007.
-- Denominator: hosts of the label, each once per crawl; shares are of those that answered conclusively
--   (with a file, or without one), means of those with rules. "all" is every host. Without labels,
--   all.
-- Parameters: crawl (the last one, by label), labels (path of a CSV or Parquet file with domain and
--   label).
CREATE OR REPLACE MACRO agents_by_label(crawl VARCHAR := NULL, labels VARCHAR := NULL) AS TABLE
    WITH labelled AS (
        SELECT host_files.*, label
        FROM of_crawl('host_files', crawl) AS host_files
        JOIN (FROM host_labels_of(labels) UNION ALL SELECT DISTINCT url_host_name, NULL FROM captures) USING (url_host_name)
    ),
    named AS (
        SELECT policy_id, count(*) AS agents, count(*) FILTER (restriction = 'full') AS blocked
        FROM agents
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        GROUP BY policy_id
    )
    SELECT
        coalesce(label, 'all') AS label,
        count(*) AS hosts,
        count(*) FILTER (is_settled) AS hosts_settled,
        pct(count(*) FILTER (has_rules), count(*)) AS pct_with_rules,
        pct(count(*) FILTER (is_settled AND agents > 0), count(*) FILTER (is_settled)) AS pct_naming_ai_agents,
        pct(count(*) FILTER (is_settled AND blocked > 0), count(*) FILTER (is_settled)) AS pct_blocking_ai_agents,
        round(avg(blocked) FILTER (blocked > 0), 2) AS mean_ai_agents_blocked,
        round(avg(content_length) FILTER (has_rules), 0) AS mean_bytes,
        round(avg(n_lines) FILTER (has_rules), 1) AS mean_lines,
        round(avg(n_agents) FILTER (has_rules), 2) AS mean_agents
    FROM labelled
    LEFT JOIN named ON named.policy_id = labelled.policy_id
    GROUP BY labelled.label
    ORDER BY labelled.label NULLS FIRST;
