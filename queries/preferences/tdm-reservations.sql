-- How many hosts reserve rights to text and data mining, and by which means?
--
-- Topic: Preferences.
-- Keywords: TDMRep, copyright, opt-out, EU, text and data mining, law.
-- Reproduces: TDMRep use of maango.io's survey (37 of the Tranco top 1M); EU 2019/790 citations of
--   thunderbit's AI crawler study beside it.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one
--   (404 and the like; n). Rows overlap. /.well-known/tdmrep.json is not in a robots.txt corpus.
-- Parameters: crawl, by, weights.
CREATE OR REPLACE MACRO tdm_reservations(
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH ways(position, means) AS (VALUES
        (1, 'TDM-Reservation header'),
        (2, 'TDM-Reservation header: reserved'),
        (3, 'TDM-Reservation line'),
        (4, 'TDM-Reservation line: reserved'),
        (5, 'TDM-Policy, header or line'),
        (6, 'citation of Directive (EU) 2019/790'),
        (7, 'signal against AI training'),
        (8, 'any of these')
    ),
    population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights)),
    stated AS (
        SELECT url_host_name, preference, source = 'header' AS in_header, NOT coalesce(allows, true) AS denies
        FROM of_crawl('stated_signals', crawl)
    ),
    found AS (
        SELECT url_host_name, if(in_header, 1, 3) AS position FROM stated WHERE preference = 'tdm-reservation'
        UNION
        SELECT url_host_name, if(in_header, 2, 4) FROM stated WHERE preference = 'tdm-reservation' AND denies
        UNION
        SELECT url_host_name, 5 FROM stated WHERE preference = 'tdm-policy'
        UNION
        SELECT url_host_name, 6 FROM population JOIN files USING (file_id) WHERE mentions_eu_2019_790
        UNION
        SELECT url_host_name, 7 FROM stated WHERE preference IN ('ai-train', 'train-ai') AND denies
    ),
    using_it AS (
        SELECT population.*, position AS part
        FROM population
        JOIN (
            FROM found
            UNION
            SELECT url_host_name, 8 FROM found WHERE position IN (2, 4, 5, 6, 7)
        ) USING (url_host_name)
    ),
    parts_asked AS (SELECT position AS part FROM ways)
    SELECT
        means,
        if(is_known, hosts, NULL) AS hosts_using,
        if(is_known, share, NULL) AS pct_of_hosts,
        if(is_known, low, NULL) AS pct_low,
        if(is_known, high, NULL) AS pct_high,
        n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([if(position IN (1, 2, 5, 7, 8), header_note(crawl), NULL), note]) AS note
    FROM shares('using_it', 'population', 'parts_asked') AS shares
    JOIN ways ON position = part
    CROSS JOIN LATERAL (SELECT position > 2 OR header_note(crawl) IS NULL AS is_known)
    ORDER BY position;
