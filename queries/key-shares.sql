-- What share of hosts has a robots.txt, blocks an AI crawler, blocks all crawlers?
--
-- Topic: AI crawlers together.
-- Reproduces: hosts with a valid robots.txt of Dinzinger's survey; hosts that disallow at least one AI
--   agent of Steinacker-Olsztyn (2025) and of thunderbit's AI crawler study, crawl by crawl.
-- Denominator: hosts, each once per crawl, of the population that the row names (n). A row for each crawl and
--   measure. AI agents are the catalogue's AI crawlers; blocks_*: no path is allowed; blocks_ai: at least one of
--   them, by name; blocks_ai_or_all: that, or everybody (*). training_not_search: by name no path for an agent whose
--   operator names AI training, and no agent for search engines or AI search blocked. mistake: a remark about a line
--   that a parser loses or reads otherwise than it is written. Intervals are those of 95%, with registrable domains
--   as clusters.
-- Parameters: by (host; domain: each registrable domain weighs 1; weight), weights (path of a CSV or
--   Parquet file of domain and weight).
CREATE OR REPLACE MACRO key_shares("by" VARCHAR := 'host', weights VARCHAR := NULL) AS TABLE
    WITH policy_flags AS (
        SELECT
            policy_id,
            bool_or(coalesce(is_ai, false)) AS names_ai,
            bool_or(coalesce(is_ai, false) AND restriction = 'full') AS blocks_ai,
            bool_or(product_token = '*' AND restriction = 'full') AS blocks_all,
            bool_or(
                coalesce(category = 'ai training' AND is_ai_basis IS DISTINCT FROM 'lists', false) AND restriction = 'full'
            ) AS blocks_training,
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
    -- What is asked of a file, in one number: joined to hosts and grouped by far faster than ten columns.
    file_flags AS MATERIALIZED (
        SELECT
            file_id,
            coalesce(names_ai, false)::INTEGER
                + 2 * coalesce(blocks_ai, false)::INTEGER
                + 4 * coalesce(blocks_all, false)::INTEGER
                + 8 * coalesce(blocks_training AND NOT blocks_search AND NOT blocks_all, false)::INTEGER
                + 16 * (platform IS NOT NULL)::INTEGER
                + 32 * (signalling.policy_id IS NOT NULL)::INTEGER
                + 64 * (mistaken.file_id IS NOT NULL)::INTEGER
                + 128 * (n_sitemaps > 0)::INTEGER AS flags
        FROM files
        LEFT JOIN policy_flags ON policy_flags.policy_id = files.policy_id
        LEFT JOIN signalling ON signalling.policy_id = files.policy_id
        LEFT JOIN mistaken USING (file_id)
    ),
    alike AS (
        SELECT
            crawl,
            -- A domain weighs 1 in each population, whatever its inputs are.
            if("by" = 'domain', domain_number, cluster) AS cluster,
            is_settled,
            has_lines,
            has_rules,
            response_class,
            coalesce(flags, 0) AS flags,
            hosts.weight AS host_weight,
            count(*) AS hosts,
            sum(hosts.weight) AS weight
        FROM query('FROM ' || all_hosts_sql('captured', "by", weights)) AS hosts
        LEFT JOIN (FROM file_flags WHERE flags > 0) AS file_flags USING (file_id)
        GROUP BY ALL
    ),
    flagged AS (
        SELECT
            *,
            if(cluster IS NULL, (host_weight, is_settled, has_lines, has_rules, response_class, flags), NULL) AS alone,
            flags & 1 > 0 AND has_rules AS names_ai,
            flags & 2 > 0 AS blocks_ai,
            flags & 4 > 0 AS blocks_all,
            flags & 8 > 0 AS training_not_search,
            flags & 16 > 0 AS is_template,
            flags & 32 > 0 AS signals,
            flags & 64 > 0 AS is_mistaken,
            flags & 128 > 0 AS has_sitemap
        FROM alike
    ),
    -- A row for each domain of several hosts, and for those of one host one for all that are alike.
    by_domain AS (
        SELECT
            crawl,
            cluster,
            if(cluster IS NULL, sum(hosts), 1) AS times,
            sum(hosts) AS captured_n,
            sum(weight) AS captured_w,
            coalesce(sum(hosts) FILTER (is_settled), 0) AS answered_n,
            coalesce(sum(weight) FILTER (is_settled), 0) AS answered_w,
            coalesce(sum(hosts) FILTER (has_lines), 0) AS with_file_n,
            coalesce(sum(weight) FILTER (has_lines), 0) AS with_file_w,
            coalesce(sum(hosts) FILTER (has_rules), 0) AS with_rules_n,
            coalesce(sum(weight) FILTER (has_rules), 0) AS with_rules_w,
            coalesce(sum(hosts) FILTER (response_class = 'forbidden' AND NOT is_settled), 0) AS forbidden_n,
            coalesce(sum(weight) FILTER (response_class = 'forbidden' AND NOT is_settled), 0) AS forbidden_w,
            coalesce(sum(hosts) FILTER (response_class = 'defer' AND NOT is_settled), 0) AS errors_n,
            coalesce(sum(weight) FILTER (response_class = 'defer' AND NOT is_settled), 0) AS errors_w,
            coalesce(sum(hosts) FILTER (names_ai AND is_settled), 0) AS names_ai_n,
            coalesce(sum(weight) FILTER (names_ai AND is_settled), 0) AS names_ai_w,
            coalesce(sum(hosts) FILTER (blocks_ai AND is_settled), 0) AS blocks_ai_n,
            coalesce(sum(weight) FILTER (blocks_ai AND is_settled), 0) AS blocks_ai_w,
            coalesce(sum(hosts) FILTER ((blocks_ai OR blocks_all) AND is_settled), 0) AS blocks_ai_or_all_n,
            coalesce(sum(weight) FILTER ((blocks_ai OR blocks_all) AND is_settled), 0) AS blocks_ai_or_all_w,
            coalesce(sum(hosts) FILTER (blocks_all AND is_settled), 0) AS blocks_all_n,
            coalesce(sum(weight) FILTER (blocks_all AND is_settled), 0) AS blocks_all_w,
            coalesce(sum(hosts) FILTER (training_not_search AND is_settled), 0) AS training_n,
            coalesce(sum(weight) FILTER (training_not_search AND is_settled), 0) AS training_w,
            coalesce(sum(hosts) FILTER (is_template AND has_rules), 0) AS template_n,
            coalesce(sum(weight) FILTER (is_template AND has_rules), 0) AS template_w,
            coalesce(sum(hosts) FILTER (is_template AND blocks_ai AND is_settled), 0) AS template_blocks_n,
            coalesce(sum(weight) FILTER (is_template AND blocks_ai AND is_settled), 0) AS template_blocks_w,
            coalesce(sum(hosts) FILTER (signals AND has_lines), 0) AS signals_n,
            coalesce(sum(weight) FILTER (signals AND has_lines), 0) AS signals_w,
            coalesce(sum(hosts) FILTER (is_mistaken AND has_lines), 0) AS mistaken_n,
            coalesce(sum(weight) FILTER (is_mistaken AND has_lines), 0) AS mistaken_w,
            coalesce(sum(hosts) FILTER (has_sitemap AND has_lines), 0) AS sitemap_n,
            coalesce(sum(weight) FILTER (has_sitemap AND has_lines), 0) AS sitemap_w
        FROM flagged
        GROUP BY crawl, cluster, alone
    ),
    -- What domains add up to, a column for each measure: far cheaper than a row for each of a domain.
    summed AS (
        SELECT
            crawl,
            unnest([
                {'position': 1, 'measure': 'answered', 'population': 'captured', 'sums': sums_of_domains(answered_n, answered_w, captured_n, captured_w, "by", times)},
                {'position': 2, 'measure': 'forbidden', 'population': 'captured', 'sums': sums_of_domains(forbidden_n, forbidden_w, captured_n, captured_w, "by", times)},
                {'position': 3, 'measure': 'errors', 'population': 'captured', 'sums': sums_of_domains(errors_n, errors_w, captured_n, captured_w, "by", times)},
                {'position': 4, 'measure': 'with_file', 'population': 'answered', 'sums': sums_of_domains(with_file_n, with_file_w, answered_n, answered_w, "by", times)},
                {'position': 5, 'measure': 'with_rules', 'population': 'answered', 'sums': sums_of_domains(with_rules_n, with_rules_w, answered_n, answered_w, "by", times)},
                {'position': 6, 'measure': 'names_ai', 'population': 'answered', 'sums': sums_of_domains(names_ai_n, names_ai_w, answered_n, answered_w, "by", times)},
                {'position': 7, 'measure': 'blocks_ai', 'population': 'answered', 'sums': sums_of_domains(blocks_ai_n, blocks_ai_w, answered_n, answered_w, "by", times)},
                {'position': 8, 'measure': 'blocks_ai_or_all', 'population': 'answered', 'sums': sums_of_domains(blocks_ai_or_all_n, blocks_ai_or_all_w, answered_n, answered_w, "by", times)},
                {'position': 9, 'measure': 'blocks_all', 'population': 'answered', 'sums': sums_of_domains(blocks_all_n, blocks_all_w, answered_n, answered_w, "by", times)},
                {'position': 10, 'measure': 'training_not_search', 'population': 'answered', 'sums': sums_of_domains(training_n, training_w, answered_n, answered_w, "by", times)},
                {'position': 11, 'measure': 'template', 'population': 'with_rules', 'sums': sums_of_domains(template_n, template_w, with_rules_n, with_rules_w, "by", times)},
                {'position': 12, 'measure': 'template_of_blocking', 'population': 'blocking an AI crawler', 'sums': sums_of_domains(template_blocks_n, template_blocks_w, blocks_ai_n, blocks_ai_w, "by", times)},
                {'position': 13, 'measure': 'signals', 'population': 'with_file', 'sums': sums_of_domains(signals_n, signals_w, with_file_n, with_file_w, "by", times)},
                {'position': 14, 'measure': 'mistake', 'population': 'with_file', 'sums': sums_of_domains(mistaken_n, mistaken_w, with_file_n, with_file_w, "by", times)},
                {'position': 15, 'measure': 'sitemap', 'population': 'with_file', 'sums': sums_of_domains(sitemap_n, sitemap_w, with_file_n, with_file_w, "by", times)}
            ]) AS measured,
            min(drawn_part(cluster)) AS drawn
        FROM by_domain
        GROUP BY crawl
    ),
    unpacked AS (
        SELECT crawl, measured.position, measured.measure, measured.population, drawn, unnest(measured.sums) FROM summed
    )
    SELECT
        crawl,
        measure,
        hosts,
        pct(y, w) AS pct,
        pct_limit(found.low) AS pct_low,
        pct_limit(found.high) AS pct_high,
        n,
        -- Where inputs were drawn at random, intervals take these in place of domains.
        if("by" <> 'domain' AND list_contains(sampled_crawls(), crawl), NULL, m) AS n_domains,
        population AS population,
        "by" AS unit,
        joined_notes(order_note(crawl), interval_note(found, drawn)) AS note
    FROM (SELECT *, share_interval(y, yy, yw, w, ww, drawn) AS found FROM unpacked WHERE n > 0)
    ORDER BY crawl_number(crawl), position;
