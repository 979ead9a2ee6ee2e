-- How many hosts reserve rights to text and data mining, and by which means?
--
-- Topic: Preferences.
-- Reproduces: TDMRep use of maango.io's survey (37 of the Tranco top 1M); EU 2019/790 citations of
--   thunderbit's AI crawler study beside it.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like; n). Rows overlap. 95% intervals, with registrable domains as
--   clusters. /.well-known/tdmrep.json is not in a robots.txt corpus.
-- Parameters: crawl (the last one in time), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO tdm_reservations(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH settled AS MATERIALIZED (
        SELECT NULL AS stratum, url_host_name, file_id, cluster, hosts, weight, squares
        FROM hosts_by('answered', crawl, "by", weights)
    ),
    signals AS (
        SELECT
            url_host_name,
            bool_or(preference = 'tdm-reservation' AND source = 'header') AS header,
            bool_or(preference = 'tdm-reservation' AND source = 'header' AND NOT coalesce(allows, true)) AS reserved_by_header,
            bool_or(preference = 'tdm-reservation' AND source = 'robots.txt') AS line,
            bool_or(preference = 'tdm-reservation' AND source = 'robots.txt' AND NOT coalesce(allows, true)) AS reserved_by_line,
            bool_or(preference = 'tdm-policy') AS policy,
            bool_or(preference IN ('ai-train', 'train-ai') AND NOT coalesce(allows, true)) AS denies_training
        FROM of_crawl('stated_signals', crawl)
        GROUP BY url_host_name
        HAVING header OR line OR policy OR denies_training
    ),
    stated AS MATERIALIZED (
        SELECT
            settled.*,
            unnest([
                if(header, 1, NULL),
                if(reserved_by_header, 2, NULL),
                if(line, 3, NULL),
                if(reserved_by_line, 4, NULL),
                if(policy, 5, NULL),
                if(denies_training, 7, NULL)
            ]) AS part
        FROM settled
        JOIN signals USING (url_host_name)
        UNION ALL
        SELECT settled.*, 6
        FROM settled
        SEMI JOIN (FROM files WHERE mentions_eu_2019_790) AS citing USING (file_id)
    ),
    found AS MATERIALIZED (
        FROM stated WHERE part IS NOT NULL
        UNION ALL
        SELECT DISTINCT * REPLACE (8 AS part) FROM stated WHERE part IN (2, 4, 5, 6, 7)
    ),
    counted AS (
        SELECT part, count(*) AS hosts FROM found GROUP BY part
    ),
    shares AS (
        FROM shares_of('FROM found', 'FROM settled', 'SELECT unnest(range(1, 9)) AS part')
    )
    SELECT
        means,
        if(is_known, coalesce(hosts, 0), NULL) AS hosts_using,
        if(is_known, share, NULL) AS pct_of_hosts,
        if(is_known, low, NULL) AS pct_low,
        if(is_known, high, NULL) AS pct_high,
        n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(if(position IN (1, 2, 5, 7, 8), header_note(crawl), NULL), note) AS note
    FROM (VALUES
        (1, 'TDM-Reservation header'),
        (2, 'TDM-Reservation header: reserved'),
        (3, 'TDM-Reservation line'),
        (4, 'TDM-Reservation line: reserved'),
        (5, 'TDM-Policy, header or line'),
        (6, 'citation of Directive (EU) 2019/790'),
        (7, 'signal against AI training'),
        (8, 'any of these')
    ) AS every(position, means)
    CROSS JOIN (SELECT count(*) AS n FROM settled) AS total
    CROSS JOIN LATERAL (SELECT position > 2 OR header_note(crawl) IS NULL AS is_known)
    LEFT JOIN counted ON counted.part = position
    LEFT JOIN shares ON shares.part = position
    ORDER BY position;
