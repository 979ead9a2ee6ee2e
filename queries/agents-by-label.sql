-- How do groups of sites that you name differ: files, AI crawlers named and blocked?
--
-- Topic: Who may crawl.
-- Reproduces: reputable and other news sites of Steinacker-Olsztyn (2025); lengths, lines and agents by
--   Curlie category of Dinzinger's survey; adoption by sector of Sun et al., WWW 2007.
-- Denominator: hosts of the label, each once per crawl; shares are of those that answered conclusively
--   (with a file, or without one; n), means of those with rules. "all" is every host. Without labels,
--   all. pct_low and pct_high are the ends of the 95% interval of pct_blocking_ai_agents, with
--   registrable domains as clusters.
-- Parameters: crawl (the last one in time), labels (path of a CSV or Parquet file with domain and
--   label), by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO agents_by_label(
    crawl VARCHAR := NULL,
    labels VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH labelled AS MATERIALIZED (
        SELECT url_host_name, NULL::VARCHAR AS stratum FROM hosts_in('captured', crawl)
        UNION ALL
        SELECT url_host_name, label FROM host_labels_of(labels)
    ),
    captured AS (
        SELECT stratum, count(*) AS hosts
        FROM labelled
        SEMI JOIN hosts_in('captured', crawl) AS hosts USING (url_host_name)
        GROUP BY stratum
    ),
    answered AS MATERIALIZED (
        SELECT
            stratum,
            cluster,
            hosts,
            weight,
            squares,
            has_rules,
            content_length,
            n_lines,
            n_agents,
            coalesce(agents, 0) AS agents,
            coalesce(blocked, 0) AS blocked
        FROM host_files_by('answered', crawl, "by", weights) AS hosts
        JOIN labelled USING (url_host_name)
        LEFT JOIN ai_agents_named AS named ON named.policy_id = hosts.policy_id
    ),
    shares AS (
        FROM shares_of(
            'SELECT *, true AS part FROM answered WHERE blocked > 0',
            'FROM answered',
            'SELECT true AS part'
        )
    ),
    counted AS (
        SELECT
            stratum,
            sum(weight) AS w,
            sum(weight) FILTER (has_rules) AS with_rules,
            sum(weight) FILTER (agents > 0) AS naming,
            sum(weight) FILTER (blocked > 0) AS blocking,
            round(avg(blocked) FILTER (blocked > 0), 2) AS mean_ai_agents_blocked,
            round(avg(content_length) FILTER (has_rules), 0) AS mean_bytes,
            round(avg(n_lines) FILTER (has_rules), 1) AS mean_lines,
            round(avg(n_agents) FILTER (has_rules), 2) AS mean_agents,
            sum(hosts)::BIGINT AS n
        FROM answered
        GROUP BY stratum
    )
    SELECT
        coalesce(captured.stratum, 'all') AS label,
        captured.hosts AS hosts_captured,
        pct(coalesce(with_rules, 0), w) AS pct_with_rules,
        pct(coalesce(naming, 0), w) AS pct_naming_ai_agents,
        pct(coalesce(blocking, 0), w) AS pct_blocking_ai_agents,
        low AS pct_low,
        high AS pct_high,
        mean_ai_agents_blocked,
        mean_bytes,
        mean_lines,
        mean_agents,
        coalesce(n, 0) AS n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        note
    FROM captured
    LEFT JOIN counted ON counted.stratum IS NOT DISTINCT FROM captured.stratum
    LEFT JOIN shares ON shares.stratum IS NOT DISTINCT FROM captured.stratum
    ORDER BY captured.stratum NULLS FIRST;
