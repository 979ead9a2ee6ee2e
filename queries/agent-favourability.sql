-- Which crawlers do hosts favour: to which do they allow more of their paths than to all others?
--
-- Topic: Who may crawl.
-- Reproduces: the bias of robots.txt files (GetBias) of Sun et al., WWW 2007, as Kolay et al., WWW 2008,
--   and Cui et al., CCS 2025, used it.
-- Denominator: hosts, each once per crawl, with a file that has rules: favoured minus disfavoured over
--   all of them is favourability (from -1 to 1). A host favours a crawler if it opens more of the
--   paths of its file to it than to `*`: the paths of all its rules, for any crawler, are tested,
--   a `*` in them taken as a character and a final `$` left out, so that this is an approximation
--   (two rules may meet on paths that neither names). mean_share is the mean share of these paths
--   that is allowed to the crawler, mean_share_of_everybody to `*`, over the hosts that name it.
--   Crawlers that are not named are treated as everybody. Files with more than max_rules rules are
--   left out: hosts_judged of the hosts_naming count.
-- Parameters: crawl (the last one in time), agents (the 12 of the catalogue that most policies name),
--   max_rules (200).
CREATE OR REPLACE MACRO agent_favourability(
    agents VARCHAR[] := NULL,
    crawl VARCHAR := NULL,
    max_rules INTEGER := 200
) AS TABLE
    WITH chosen AS (
        SELECT unnest(coalesce(known_tokens(agents), usual_agents(12))) AS product_token
    ),
    crawled AS (
        SELECT policy_id, count(*) AS hosts
        FROM hosts_in('with_rules', crawl)
        GROUP BY policy_id
    ),
    naming AS (
        SELECT policy_id, product_token, same_as_wildcard, hosts, policies.n_rules <= max_rules AS is_judged
        FROM agents
        JOIN crawled USING (policy_id)
        JOIN policies USING (policy_id)
        WHERE product_token IN (FROM chosen)
    ),
    judged AS MATERIALIZED (
        SELECT policy_id FROM policies WHERE n_rules <= max_rules AND policy_id IN (SELECT policy_id FROM naming)
    ),
    judged_rules AS MATERIALIZED (
        SELECT policy_id, group_index, precedence_of(rule_type, path_length) AS precedence, path
        FROM rules SEMI JOIN judged USING (policy_id)
        WHERE NOT is_empty
    ),
    -- The paths of a policy, by numbers: to bring together by these takes less than by the paths.
    paths AS MATERIALIZED (
        SELECT policy_id, unnest(all_paths) AS path, generate_subscripts(all_paths, 1) AS path_number
        FROM (
            SELECT policy_id, list(DISTINCT if(ends_with(path, '$'), path[:-2], path)) AS all_paths
            FROM judged_rules
            GROUP BY policy_id
        )
    ),
    named AS MATERIALIZED (
        SELECT
            policy_id,
            count(*) AS paths,
            bool_and(starts_with(path, '/') AND NOT starts_with(path, '/robots.txt')) AS is_usual
        FROM paths
        GROUP BY policy_id
    ),
    -- Crawlers of one policy that have the same groups are judged once, and not at all where their rules
    -- are those of `*`. Where nothing is disallowed to one, or everything, this is the verdict on every
    -- path that a URL can have.
    agent_groups AS MATERIALIZED (
        SELECT
            policy_id,
            product_token,
            any_value(restriction) AS restriction,
            list(group_index ORDER BY group_index) AS groups
        FROM (
            SELECT DISTINCT policy_id, group_index, unnest(product_tokens) AS product_token
            FROM groups SEMI JOIN judged USING (policy_id)
        )
        JOIN agents USING (policy_id, product_token)
        WHERE same_as_wildcard IS NOT true AND (product_token = '*' OR product_token IN (FROM chosen))
        GROUP BY policy_id, product_token
    ),
    readers AS MATERIALIZED (
        SELECT policy_id, groups, row_number() OVER () AS reader
        FROM (
            SELECT DISTINCT policy_id, groups
            FROM agent_groups JOIN named USING (policy_id)
            WHERE restriction = 'partial' OR NOT is_usual
        )
    ),
    rules_of_readers AS (
        SELECT policy_id, reader, precedence, path AS pattern, pattern_key(path) AS key,
            like_of(path) AS like_pattern
        FROM (SELECT policy_id, reader, unnest(groups) AS group_index FROM readers)
        JOIN judged_rules USING (policy_id, group_index)
    ),
    verdicts AS (
        SELECT reader, path_number, is_disallow(max(precedence)) AS is_blocked
        FROM keyed_paths('FROM paths')
        JOIN rules_of_readers USING (policy_id, key)
        WHERE pattern_matches(path, pattern, like_pattern)
        GROUP BY ALL
    ),
    blocked AS (
        SELECT reader, count(*) FILTER (is_blocked) AS paths FROM verdicts GROUP BY reader
    ),
    closed AS (
        SELECT
            policy_id,
            product_token,
            CASE
                WHEN reader IS NOT NULL THEN blocked.paths
                WHEN restriction = 'full' THEN named.paths
            END AS paths
        FROM agent_groups
        JOIN named USING (policy_id)
        LEFT JOIN readers USING (policy_id, groups)
        LEFT JOIN blocked USING (reader)
    ),
    shares AS (
        SELECT
            naming.product_token,
            naming.hosts,
            is_judged,
            1 - coalesce(everybody.paths, 0) / named.paths AS share_of_everybody,
            if(same_as_wildcard, share_of_everybody, 1 - coalesce(own.paths, 0) / named.paths) AS share
        FROM naming
        LEFT JOIN named ON named.policy_id = naming.policy_id
        LEFT JOIN closed AS own ON own.policy_id = naming.policy_id AND own.product_token = naming.product_token
        LEFT JOIN closed AS everybody ON everybody.policy_id = naming.policy_id AND everybody.product_token = '*'
    )
    SELECT
        product_token,
        sum(hosts)::BIGINT AS hosts_naming,
        coalesce(sum(hosts) FILTER (is_judged), 0)::BIGINT AS hosts_judged,
        coalesce(sum(hosts) FILTER (share > share_of_everybody), 0)::BIGINT AS hosts_favouring,
        coalesce(sum(hosts) FILTER (share < share_of_everybody), 0)::BIGINT AS hosts_disfavouring,
        round(
            (hosts_favouring - hosts_disfavouring) / (SELECT sum(hosts) FROM crawled),
            4
        ) + 0.0 AS favourability,
        round(sum(hosts * share) / sum(hosts) FILTER (share IS NOT NULL), 3) AS mean_share,
        round(sum(hosts * share_of_everybody) / sum(hosts) FILTER (share IS NOT NULL), 3) AS mean_share_of_everybody,
        population_size('with_rules', crawl) AS n,
        'with_rules' AS population,
        known_crawl(crawl) AS crawl,
        announcement_of(product_token, known_crawl(crawl)) AS note
    FROM shares
    GROUP BY product_token
    ORDER BY favourability DESC, product_token;
