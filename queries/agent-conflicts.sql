-- Where is one crawler blocked while a crawler of the same kind, or of the same operator, is allowed?
--
-- Topic: AI crawlers together.
-- Reproduces: "block CCBot, allow Googlebot" of thunderbit's AI crawler study; training blocked but
--   search allowed of Cloudflare's reports; conflicts between crawlers of Cui et al., CCS 2025.
-- Denominator: hosts, each once per crawl, that answered conclusively: with a file, or without one.
--   blocked: no path is allowed; allowed: some path is. Own group first, then fallback, then `*`.
--   95% intervals, with registrable domains as clusters.
-- Parameters: crawl (the last one in time), pairs (a list of [blocked, allowed]), by (host;
--   domain: each registrable domain weighs 1; weight), weights (path of a CSV or Parquet file of
--   domain and weight).
CREATE OR REPLACE MACRO agent_conflicts(
    pairs VARCHAR[][] := [
        ['ccbot', 'googlebot'],
        ['gptbot', 'googlebot'],
        ['gptbot', 'oai-searchbot'],
        ['gptbot', 'chatgpt-user'],
        ['gptbot', 'ccbot'],
        ['gptbot', 'claudebot'],
        ['claudebot', 'claude-searchbot'],
        ['claudebot', 'claude-user'],
        ['anthropic-ai', 'claudebot'],
        ['google-extended', 'googlebot'],
        ['applebot-extended', 'applebot'],
        ['meta-externalagent', 'meta-externalfetcher'],
        ['perplexitybot', 'perplexity-user'],
        ['bytespider', 'googlebot']
    ],
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT known_tokens(flatten(pairs)) AS tokens
    ),
    obeying AS (
        FROM asked_agents((SELECT tokens FROM chosen))
    ),
    asked AS MATERIALIZED (
        SELECT
            row_number() OVER () AS number,
            blocked,
            allowed,
            first.obeys_wildcard AS first_obeys,
            second.obeys_wildcard AS second_obeys
        FROM (
            SELECT DISTINCT token_of(pair[1]) AS blocked, token_of(pair[2]) AS allowed
            FROM (SELECT unnest(pairs) AS pair)
        )
        JOIN obeying AS first ON first.product_token = blocked
        JOIN obeying AS second ON second.product_token = allowed
    ),
    of_clusters AS MATERIALIZED (
        SELECT cluster, policy_id, count(*) AS hosts, sum(weight) AS weight, sum(squares) AS squares
        FROM hosts_by('answered', crawl, "by", weights)
        GROUP BY ALL
    ),
    settled AS MATERIALIZED (
        SELECT policy_id, hosts, weight, everybody.policy_id IS NOT NULL AS by_everybody
        FROM (SELECT policy_id, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight FROM of_clusters GROUP BY policy_id)
        LEFT JOIN (SELECT policy_id FROM agents WHERE product_token = '*' AND restriction = 'full') AS everybody
            USING (policy_id)
    ),
    named AS MATERIALIZED (
        SELECT policy_id, product_token, restriction = 'full' AS is_blocked
        FROM named_agents_of((SELECT tokens FROM chosen))
    ),
    -- Policies that have a group for one of a pair, with what holds for each of the two, and what the group
    -- for * says.
    in_pairs AS MATERIALIZED (
        SELECT
            number,
            policy_id,
            hosts,
            weight,
            by_everybody AND first_obeys AS else_first,
            by_everybody AND second_obeys AS else_second,
            coalesce(first.is_blocked, else_first) AS first_blocked,
            coalesce(second.is_blocked, else_second) AS second_blocked
        FROM (SELECT number, named.* FROM asked JOIN named ON product_token = blocked) AS first
        FULL JOIN (SELECT number, named.* FROM asked JOIN named ON product_token = allowed) AS second
            USING (policy_id, number)
        JOIN settled USING (policy_id)
        JOIN asked USING (number)
    ),
    -- Policies by which the first is blocked and the second is not.
    in_conflict AS MATERIALIZED (
        SELECT number AS part, policy_id FROM in_pairs WHERE first_blocked AND NOT second_blocked
        UNION ALL
        SELECT number, policy_id
        FROM asked
        CROSS JOIN settled
        ANTI JOIN (FROM in_pairs WHERE else_first AND NOT else_second) AS named USING (number, policy_id)
        WHERE by_everybody AND first_obeys AND NOT second_obeys
    ),
    shares AS (
        FROM shares_of(
            'SELECT NULL AS stratum, part, cluster, hosts, weight, squares FROM in_conflict JOIN of_clusters USING (policy_id)',
            'SELECT NULL AS stratum, cluster, hosts, weight, squares FROM of_clusters',
            'SELECT number AS part FROM asked'
        )
    ),
    total AS (
        SELECT
            sum(hosts)::BIGINT AS n,
            sum(weight) AS w,
            coalesce(sum(hosts) FILTER (by_everybody), 0) AS hosts_blocked,
            coalesce(sum(weight) FILTER (by_everybody), 0) AS blocked_weight
        FROM settled
    ),
    -- What groups for the two add to what the group for * does.
    more AS (
        SELECT
            number,
            sum(weight * (
                (first_blocked AND NOT second_blocked)::INTEGER - (else_first AND NOT else_second)::INTEGER
            )) AS more_weight,
            sum(hosts * (
                (first_blocked AND NOT second_blocked)::INTEGER - (else_first AND NOT else_second)::INTEGER
            )) AS more_in_conflict,
            sum(hosts * (
                (first_blocked AND second_blocked)::INTEGER - (else_first AND else_second)::INTEGER
            )) AS more_blocking_both,
            sum(hosts * (
                (NOT first_blocked AND second_blocked)::INTEGER - (NOT else_first AND else_second)::INTEGER
            )) AS more_the_other_way_round
        FROM in_pairs
        GROUP BY number
    )
    SELECT
        asked.blocked,
        allowed,
        (
            if(first_obeys AND NOT second_obeys, hosts_blocked, 0) + coalesce(more_in_conflict, 0)
        )::BIGINT AS hosts_in_conflict,
        pct(if(first_obeys AND NOT second_obeys, blocked_weight, 0) + coalesce(more_weight, 0), w) AS pct_of_hosts,
        low AS pct_low,
        high AS pct_high,
        (
            if(first_obeys AND second_obeys, hosts_blocked, 0) + coalesce(more_blocking_both, 0)
        )::BIGINT AS hosts_blocking_both,
        (
            if(NOT first_obeys AND second_obeys, hosts_blocked, 0) + coalesce(more_the_other_way_round, 0)
        )::BIGINT AS hosts_the_other_way_round,
        n,
        'answered' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes(
            joined_notes(
                named_announcement(asked.blocked, known_crawl(crawl)),
                named_announcement(allowed, known_crawl(crawl))
            ),
            note
        ) AS note
    FROM asked
    CROSS JOIN total
    LEFT JOIN more USING (number)
    LEFT JOIN shares ON part = number
    WHERE n > 0
    ORDER BY hosts_in_conflict DESC, asked.blocked, allowed;
