-- How strict are hosts with a crawler, in the fine order of the Data Provenance Initiative?
--
-- Topic: Who may crawl.
-- Reproduces: no_robots < none < none_sitemap < none_crawl_delay < some_pattern_restrictions <
--   some_disallow_important_dir < some_other < all of Longpre et al. 2024 (robots_util.py).
-- Denominator: hosts, each once per crawl, that answered conclusively; no_robots is those without a
--   file. all, some and none are their definition over RFC 9309 groups, of the crawler's own group or
--   the one for `*`. As in their script the finer marks are those of the whole file, whoever its lines
--   are for: a crawl-delay, a sitemap, a disallow rule with `?`, one that begins with /admin, /private
--   or /confidential. They search the text, comments too and in that case of letters; we ask the rules.
-- Intervals: none; see exact blocks: agent-restrictions-over-time.
-- Parameters: crawl (the last one in time), agents (['*', 'gptbot', 'ccbot', 'google-extended',
--   'anthropic-ai', 'claudebot', 'googlebot']), by (host; domain: each registrable domain weighs
--   1; weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO data_provenance_order(
    agents VARCHAR[] := ['*', 'gptbot', 'ccbot', 'google-extended', 'anthropic-ai', 'claudebot', 'googlebot'],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS (
        SELECT unnest(known_tokens(agents)) AS product_token
    ),
    answers AS (
        FROM counted_answers(
            (SELECT list(product_token) FROM chosen),
            -- What the status would be if the definition were "some", and if it were "none".
            'SELECT
                CASE
                    WHEN has_pattern THEN ''some_pattern_restrictions''
                    WHEN has_important THEN ''some_disallow_important_dir''
                    ELSE ''some_other''
                END || '' '' || CASE
                    WHEN n_crawl_delay > 0 THEN ''none_crawl_delay''
                    WHEN n_sitemaps > 0 THEN ''none_sitemap''
                    ELSE ''none''
                END AS part,
                hosts.policy_id,
                weight
            FROM ' || host_files_sql('answered', crawl, "by", weights) || ' AS hosts
            LEFT JOIN path_marks USING (policy_id)',
            definition := 'restriction_dpi'
        )
    ),
    judged AS (
        SELECT
            product_token,
            hosts,
            weight,
            CASE
                WHEN source = 'no_file' THEN 'no_robots'
                WHEN restriction = 'all' THEN 'all'
                ELSE split_part(part, ' ', if(restriction = 'some', 1, 2))
            END AS status
        FROM answers
    )
    SELECT
        product_token,
        status,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER (PARTITION BY product_token)) AS pct_of_hosts,
        population_size('answered', crawl) AS n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM judged
    GROUP BY product_token, status
    ORDER BY
        product_token,
        list_position(
            ['no_robots', 'none', 'none_sitemap', 'none_crawl_delay', 'some_pattern_restrictions',
             'some_disallow_important_dir', 'some_other', 'all'],
            status
        );
