-- What do hosts do, in a few shares with intervals: have a robots.txt, block an AI crawler, block everybody?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts with a valid robots.txt of Dinzinger's survey; hosts that disallow at least one AI
--   agent of Steinacker-Olsztyn (2025) and of thunderbit's AI crawler study, crawl by crawl.
-- Denominator: hosts, each once per crawl, of the population that the row names (n). A row for each crawl
--   and measure. AI agents are those of the catalogue; blocks_*: no path is allowed; blocks_ai: at least
--   one of them, by name; blocks_ai_or_all: that, or everybody (*). training_not_search: by name no path
--   for an agent for AI training, and no agent for search engines or AI search blocked. mistake: a remark
--   about a line that a parser loses or reads otherwise than it is written. Intervals are those of 95 %,
--   with registrable domains as clusters.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO key_shares("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH policy_flags AS (
        SELECT
            policy_id,
            bool_or(coalesce(is_ai, false)) AS names_ai,
            bool_or(coalesce(is_ai, false) AND restriction = 'full') AS blocks_ai,
            bool_or(product_token = '*' AND restriction = 'full') AS blocks_all,
            bool_or(coalesce(category = 'ai training', false) AND restriction = 'full') AS blocks_training,
            bool_or(coalesce(category IN ('search engine', 'ai search'), false) AND restriction = 'full') AS blocks_search
        FROM agents
        LEFT JOIN agent_catalog USING (product_token)
        GROUP BY policy_id
    ),
    signalling AS (
        SELECT DISTINCT policy_id FROM preferences
    ),
    mistaken AS (
        SELECT DISTINCT file_id FROM remarks
        WHERE kind IN ('directive_splits_group', 'rule_without_slash', 'rule_is_url', 'rule_outside_group', 'misspelling',
            'missing_colon', 'tolerated_spelling', 'no_product_token')
    ),
    flagged AS (
        SELECT
            crawl,
            domain,
            weight,
            is_settled,
            has_lines,
            has_rules,
            response_class,
            coalesce(names_ai AND has_rules, false) AS names_ai,
            coalesce(blocks_ai, false) AS blocks_ai,
            coalesce(blocks_all, false) AS blocks_all,
            coalesce(blocks_training AND NOT blocks_search AND NOT blocks_all, false) AS training_not_search,
            platform IS NOT NULL AS is_template,
            coalesce(platform IS NOT NULL AND blocks_ai, false) AS template_blocks_ai,
            signalling.policy_id IS NOT NULL AS signals,
            mistaken.file_id IS NOT NULL AS is_mistaken,
            coalesce(n_sitemaps > 0, false) AS has_sitemap
        FROM weighed_hosts('captured', 'true', "by", weights) AS hosts
        LEFT JOIN policy_flags ON policy_flags.policy_id = hosts.policy_id
        LEFT JOIN signalling ON signalling.policy_id = hosts.policy_id
        LEFT JOIN mistaken ON mistaken.file_id = hosts.file_id
    ),
    by_domain AS (
        SELECT
            crawl,
            domain,
            count(*) AS captured_n,
            sum(weight) AS captured_w,
            count(*) FILTER (is_settled) AS answered_n,
            coalesce(sum(weight) FILTER (is_settled), 0) AS answered_w,
            count(*) FILTER (has_lines) AS with_file_n,
            coalesce(sum(weight) FILTER (has_lines), 0) AS with_file_w,
            count(*) FILTER (has_rules) AS with_rules_n,
            coalesce(sum(weight) FILTER (has_rules), 0) AS with_rules_w,
            count(*) FILTER (response_class = 'forbidden' AND NOT is_settled) AS forbidden_n,
            coalesce(sum(weight) FILTER (response_class = 'forbidden' AND NOT is_settled), 0) AS forbidden_w,
            count(*) FILTER (response_class = 'defer' AND NOT is_settled) AS errors_n,
            coalesce(sum(weight) FILTER (response_class = 'defer' AND NOT is_settled), 0) AS errors_w,
            count(*) FILTER (names_ai AND is_settled) AS names_ai_n,
            coalesce(sum(weight) FILTER (names_ai AND is_settled), 0) AS names_ai_w,
            count(*) FILTER (blocks_ai AND is_settled) AS blocks_ai_n,
            coalesce(sum(weight) FILTER (blocks_ai AND is_settled), 0) AS blocks_ai_w,
            count(*) FILTER ((blocks_ai OR blocks_all) AND is_settled) AS blocks_ai_or_all_n,
            coalesce(sum(weight) FILTER ((blocks_ai OR blocks_all) AND is_settled), 0) AS blocks_ai_or_all_w,
            count(*) FILTER (blocks_all AND is_settled) AS blocks_all_n,
            coalesce(sum(weight) FILTER (blocks_all AND is_settled), 0) AS blocks_all_w,
            count(*) FILTER (training_not_search AND is_settled) AS training_n,
            coalesce(sum(weight) FILTER (training_not_search AND is_settled), 0) AS training_w,
            count(*) FILTER (is_template AND has_rules) AS template_n,
            coalesce(sum(weight) FILTER (is_template AND has_rules), 0) AS template_w,
            count(*) FILTER (template_blocks_ai AND is_settled) AS template_blocks_n,
            coalesce(sum(weight) FILTER (template_blocks_ai AND is_settled), 0) AS template_blocks_w,
            count(*) FILTER (signals AND has_lines) AS signals_n,
            coalesce(sum(weight) FILTER (signals AND has_lines), 0) AS signals_w,
            count(*) FILTER (is_mistaken AND has_lines) AS mistaken_n,
            coalesce(sum(weight) FILTER (is_mistaken AND has_lines), 0) AS mistaken_w,
            count(*) FILTER (has_sitemap AND has_lines) AS sitemap_n,
            coalesce(sum(weight) FILTER (has_sitemap AND has_lines), 0) AS sitemap_w
        FROM flagged
        GROUP BY crawl, domain
    ),
    -- What domains add up to, a column for each measure: far cheaper than a row for each of a domain.
    summed AS (
        SELECT
            crawl,
            unnest([
                {'position': 1, 'measure': 'answered', 'population': 'captured', 'sums': sums_of_domains(answered_n, answered_w, captured_n, captured_w, "by")},
                {'position': 2, 'measure': 'forbidden', 'population': 'captured', 'sums': sums_of_domains(forbidden_n, forbidden_w, captured_n, captured_w, "by")},
                {'position': 3, 'measure': 'errors', 'population': 'captured', 'sums': sums_of_domains(errors_n, errors_w, captured_n, captured_w, "by")},
                {'position': 4, 'measure': 'with_file', 'population': 'answered', 'sums': sums_of_domains(with_file_n, with_file_w, answered_n, answered_w, "by")},
                {'position': 5, 'measure': 'with_rules', 'population': 'answered', 'sums': sums_of_domains(with_rules_n, with_rules_w, answered_n, answered_w, "by")},
                {'position': 6, 'measure': 'names_ai', 'population': 'answered', 'sums': sums_of_domains(names_ai_n, names_ai_w, answered_n, answered_w, "by")},
                {'position': 7, 'measure': 'blocks_ai', 'population': 'answered', 'sums': sums_of_domains(blocks_ai_n, blocks_ai_w, answered_n, answered_w, "by")},
                {'position': 8, 'measure': 'blocks_ai_or_all', 'population': 'answered', 'sums': sums_of_domains(blocks_ai_or_all_n, blocks_ai_or_all_w, answered_n, answered_w, "by")},
                {'position': 9, 'measure': 'blocks_all', 'population': 'answered', 'sums': sums_of_domains(blocks_all_n, blocks_all_w, answered_n, answered_w, "by")},
                {'position': 10, 'measure': 'training_not_search', 'population': 'answered', 'sums': sums_of_domains(training_n, training_w, answered_n, answered_w, "by")},
                {'position': 11, 'measure': 'template', 'population': 'with_rules', 'sums': sums_of_domains(template_n, template_w, with_rules_n, with_rules_w, "by")},
                {'position': 12, 'measure': 'template_of_blocking', 'population': 'blocking an AI crawler', 'sums': sums_of_domains(template_blocks_n, template_blocks_w, blocks_ai_n, blocks_ai_w, "by")},
                {'position': 13, 'measure': 'signals', 'population': 'with_file', 'sums': sums_of_domains(signals_n, signals_w, with_file_n, with_file_w, "by")},
                {'position': 14, 'measure': 'mistake', 'population': 'with_file', 'sums': sums_of_domains(mistaken_n, mistaken_w, with_file_n, with_file_w, "by")},
                {'position': 15, 'measure': 'sitemap', 'population': 'with_file', 'sums': sums_of_domains(sitemap_n, sitemap_w, with_file_n, with_file_w, "by")}
            ]) AS measured
        FROM by_domain
        GROUP BY crawl
    ),
    unpacked AS (
        SELECT crawl, measured.position, measured.measure, measured.population, unnest(measured.sums) FROM summed
    )
    SELECT
        crawl,
        measure,
        hosts,
        pct(y, w) AS pct,
        pct_low(y, yy, yw, w, ww, m) AS pct_low,
        pct_high(y, yy, yw, w, ww, m) AS pct_high,
        n,
        m AS n_domains,
        population AS population,
        "by" AS unit
    FROM unpacked
    WHERE n > 0
    ORDER BY crawl, position;
