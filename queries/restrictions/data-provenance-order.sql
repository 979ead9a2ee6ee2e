-- How strictly do hosts restrict a crawler, on the Data Provenance Initiative's scale?
-- Keywords: Longpre, strictness, levels, ordinal, restriction order.
-- Reproduces: the order from no_robots to all (Longpre et al. 2024, robots_util.py).
-- Denominator: hosts that gave a usable answer (n). all, some and none follow the study's
--   definition, over RFC 9309 groups. As in its script, the finer levels depend on lines anywhere
--   in the file: a crawl-delay, a sitemap, a disallow rule with `?` that starts with `/`, or a
--   path that starts with /admin, /private or /confidential. The script searches all text, this
--   query only rules.
-- Intervals: none; agent-restrictions-over-time has the intervals of full blocks.
CREATE OR REPLACE MACRO data_provenance_order(
    agents := ['*', 'gptbot', 'ccbot', 'google-extended', 'anthropic-ai', 'claudebot', 'googlebot'], crawl := NULL,
    "by" := 'host', weights := NULL
) AS TABLE
    -- Each host with its status if restriction_dpi is some, and if it is none.
    WITH population AS MATERIALIZED (
        SELECT hosts.* REPLACE ({
            'some': CASE
                WHEN has_pattern THEN 'some_pattern_restrictions'
                WHEN has_important THEN 'some_disallow_important_dir'
                ELSE 'some_other'
            END,
            'none': CASE
                WHEN n_crawl_delay > 0 THEN 'none_crawl_delay' WHEN n_sitemaps > 0 THEN 'none_sitemap' ELSE 'none'
            END
        } AS stratum)
        FROM host_files_by('answered', crawl, "by", weights) AS hosts
        LEFT JOIN path_marks USING (policy_id)
    )
    SELECT
        product_token,
        CASE
            WHEN answers.source = 'no_file' THEN 'no_robots'
            WHEN restriction_dpi = 'all' THEN 'all'
            ELSE if(restriction_dpi = 'some', stratum['some'], stratum['none'])
        END AS status,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER of_agent) AS pct_of_hosts,
        (sum(sum(hosts)) OVER of_agent)::BIGINT AS n,
        'answered' AS population, "by" AS unit, known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM counted_answers(known_tokens(agents), 'population') AS answers
    GROUP BY product_token, status
    WINDOW of_agent AS (PARTITION BY product_token)
    ORDER BY product_token, list_position([
        'no_robots', 'none', 'none_sitemap', 'none_crawl_delay', 'some_pattern_restrictions',
        'some_disallow_important_dir', 'some_other', 'all'
    ], status);
