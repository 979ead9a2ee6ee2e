-- How many hosts reserve rights to text and data mining, and by which means?
-- Keywords: TDM, TDMRep, copyright, opt-out, AI opt-out, EU, text and data mining, law.
-- Reproduces: TDMRep use (maango.io's survey: 37 of the Tranco top 1M); EU 2019/790 citations (thunderbit).
-- Denominator: hosts that gave a usable answer (n). Rows overlap; any reservation: a header or line that reserves
--   rights, a TDM-Policy, or a signal against AI training, for any crawler or path; not the citation, which may also
--   say that nothing is reserved. tdmrep.json files are not counted. Without headers, rows of files and headers are
--   lower bounds: pct_high is null.
CREATE OR REPLACE MACRO tdm_reservations(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH ways(part, means) AS (VALUES
        (1, 'TDM-Reservation header'), (2, 'TDM-Reservation header: reserved'),
        (3, 'TDM-Reservation line'), (4, 'TDM-Reservation line: reserved'),
        (5, 'TDM-Policy, header or line'), (6, 'citation of Directive (EU) 2019/790'),
        (7, 'signal against AI training'), (8, 'any reservation')
    ),
    population AS MATERIALIZED (FROM hosts_by('answered', crawl, "by", weights)),
    found AS (
        SELECT url_host_name, unnest([
            CASE WHEN is_tdm AND preference = 'tdm-reservation' THEN if(source = 'header', 1, 3) END,
            CASE WHEN is_tdm AND preference = 'tdm-reservation' AND NOT allows THEN if(source = 'header', 2, 4) END,
            CASE WHEN is_tdm AND preference = 'tdm-policy' THEN 5 END,
            CASE WHEN preference IN ('ai-train', 'train-ai') AND NOT allows THEN 7 END
        ]) AS part
        FROM (SELECT *, vocabulary = 'tdm' AS is_tdm FROM of_crawl('stated_signals', crawl))
        UNION ALL
        SELECT url_host_name, 6 FROM population JOIN files USING (file_id) WHERE mentions_eu_2019_790
    ),
    reserving AS (
        FROM (SELECT DISTINCT url_host_name, unnest([part, if(part IN (2, 4, 5, 7), 8, NULL)]) AS part FROM found)
        WHERE part IS NOT NULL
    )
    SELECT
        means, if(is_known OR part > 2, COLUMNS(['hosts_using', 'pct_of_hosts', 'pct_low']), NULL),
        if(is_known, pct_high, NULL) AS pct_high,
        n, population, unit, shares.crawl, joined_notes([if(is_known, NULL, header_note(crawl)), note]) AS note
    FROM (
        SELECT
            * RENAME (hosts AS hosts_using, share AS pct_of_hosts),
            part IN (3, 4, 6) OR header_note(crawl) IS NULL AS is_known
        FROM joined_shares('reserving', 'population', 'ways')
    ) AS shares
    JOIN ways USING (part)
    ORDER BY part;
