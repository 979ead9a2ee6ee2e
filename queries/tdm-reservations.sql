-- How many hosts reserve rights to text and data mining, and by which means?
--
-- Topic: Preferences.
-- Reproduces: TDMRep use of maango.io's survey (37 of the Tranco top 1M); EU 2019/790 citations of
--   thunderbit's AI crawler study beside it.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like). Rows overlap. /.well-known/tdmrep.json is not in a robots.txt corpus.
-- Parameters: crawl (the last one, by label), by (host; domain: each registrable domain weighs 1;
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO tdm_reservations(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH settled AS (
        SELECT url_host_name, weight, coalesce(mentions_eu_2019_790, false) AS cites
        FROM host_files_by('answered', crawl, "by", weights)
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
        FROM of_crawl('host_signals', crawl)
        GROUP BY url_host_name
    )
    SELECT
        means,
        count(*) FILTER (holds) AS hosts_using,
        pct(coalesce(sum(weight) FILTER (holds), 0), sum(weight)) AS pct_of_hosts,
        population_size('answered', crawl) AS n,
        'answered' AS population,
        "by" AS unit
    FROM settled
    LEFT JOIN signals USING (url_host_name), LATERAL (VALUES
        (1, 'TDM-Reservation header', coalesce(header, false)),
        (2, 'TDM-Reservation header: reserved', coalesce(reserved_by_header, false)),
        (3, 'TDM-Reservation line', coalesce(line, false)),
        (4, 'TDM-Reservation line: reserved', coalesce(reserved_by_line, false)),
        (5, 'TDM-Policy, header or line', coalesce(policy, false)),
        (6, 'citation of Directive (EU) 2019/790', cites),
        (7, 'signal against AI training', coalesce(denies_training, false)),
        (8, 'any of these', coalesce(reserved_by_header OR reserved_by_line OR policy OR denies_training, false) OR cites)
    ) AS listed(position, means, holds)
    GROUP BY position, means
    ORDER BY position;
