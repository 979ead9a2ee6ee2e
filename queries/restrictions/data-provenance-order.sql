-- How strict are hosts with a crawler, in the fine order of the Data Provenance Initiative?
--
-- Topic: Who may crawl.
-- Keywords: Longpre, strictness, levels, ordinal, restriction order.
-- Reproduces: no_robots < none < none_sitemap < none_crawl_delay < some_pattern_restrictions <
--   some_disallow_important_dir < some_other < all of Longpre et al. 2024 (robots_util.py).
-- Denominator: hosts, each once per crawl, that answered conclusively; no_robots is those without a
--   file. all, some and none are their definition over RFC 9309 groups, of the crawler's own group
--   or the one for `*`. As in their script the finer marks are those of the whole file, whoever its
--   lines are for: a crawl-delay, a sitemap, a disallow rule with `?`, one that begins with /admin,
--   /private or /confidential. They search the text, comments too and in that case of letters; we
--   ask the rules.
-- Intervals: none; see exact blocks: agent-restrictions-over-time.
-- Parameters: crawl, agents (['*', 'gptbot', 'ccbot', 'google-extended', 'anthropic-ai',
--   'claudebot', 'googlebot']), by, weights.
CREATE OR REPLACE MACRO data_provenance_order(
    agents := ['*', 'gptbot', 'ccbot', 'google-extended', 'anthropic-ai', 'claudebot', 'googlebot'],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS MATERIALIZED (
        SELECT
            hosts.* REPLACE (
                {
                    'has_pattern': has_pattern,
                    'has_important': has_important,
                    'has_delay': n_crawl_delay > 0,
                    'has_sitemap': n_sitemaps > 0
                } AS stratum
            )
        FROM host_files_by('answered', crawl, "by", weights) AS hosts
        LEFT JOIN path_marks USING (policy_id)
    ),
    judged AS (
        SELECT
            product_token,
            hosts,
            weight,
            CASE
                WHEN source = 'no_file' THEN 'no_robots'
                WHEN restriction_dpi = 'all' THEN 'all'
                WHEN restriction_dpi = 'some' AND stratum.has_pattern THEN 'some_pattern_restrictions'
                WHEN restriction_dpi = 'some' AND stratum.has_important THEN 'some_disallow_important_dir'
                WHEN restriction_dpi = 'some' THEN 'some_other'
                WHEN stratum.has_delay THEN 'none_crawl_delay'
                WHEN stratum.has_sitemap THEN 'none_sitemap'
                ELSE 'none'
            END AS status
        FROM counted_answers(known_tokens(agents), 'population')
    )
    SELECT
        product_token,
        status,
        sum(hosts)::BIGINT AS hosts,
        pct(sum(weight), sum(sum(weight)) OVER (PARTITION BY product_token)) AS pct_of_hosts,
        (sum(sum(hosts)) OVER (PARTITION BY product_token))::BIGINT AS n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM judged
    GROUP BY product_token, status
    ORDER BY
        product_token,
        list_position(
            [
                'no_robots', 'none', 'none_sitemap', 'none_crawl_delay', 'some_pattern_restrictions',
                'some_disallow_important_dir', 'some_other', 'all'
            ],
            status
        );
