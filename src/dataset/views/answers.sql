-- A note for each of some crawlers that no file names, in a crawl or (all) in every crawl.
CREATE OR REPLACE MACRO unnamed_agents(names, label) AS TABLE
    SELECT
        'no file of ' || if(label = 'all', 'the dataset', 'the crawl ' || known_crawl(nullif(label, 'all')))
        || ' names ' || product_token || '; the rules for everybody (*) hold for it' AS note
    FROM (SELECT unnest(known_tokens(names)) AS product_token)
    WHERE product_token NOT IN (
        SELECT product_token
        FROM agents
        SEMI JOIN (FROM hosts WHERE label = 'all' OR crawl = known_crawl(nullif(label, 'all'))) AS crawled
            USING (policy_id)
    );

-- The crawlers that a query is about: those asked for, else the n (AI) crawlers that most policies name.
CREATE OR REPLACE MACRO usual_agents(n, only_ai) AS coalesce((
    SELECT list(product_token ORDER BY policies DESC, product_token)
    FROM (
        SELECT product_token, count(*) AS policies
        FROM agents
        JOIN agent_catalog USING (product_token)
        WHERE is_ai OR NOT only_ai
        GROUP BY product_token
    )
)[:n], []::VARCHAR[]);
CREATE OR REPLACE MACRO chosen_agents(names, n) AS coalesce(known_tokens(names), usual_agents(n, false));
CREATE OR REPLACE MACRO chosen_ai_agents(names, n) AS coalesce(known_tokens(names), usual_agents(n, true));

-- How many of the rows of a CTE answer each of some product tokens how: a row for each stratum, token, source and
-- restriction (by the exact definition and by the published ones), with the rows and their weight. The CTE has
-- stratum, policy_id and weight. Rows without a policy have source no_file.
CREATE OR REPLACE MACRO counted_answers(tokens, rows) AS TABLE
    WITH to_everybody AS (
        SELECT
            stratum, counted.policy_id IS NULL AS is_fileless,
            restriction, restriction_cc, restriction_dpi, restriction_imc,
            count(*) AS hosts, sum(weight) AS weight
        FROM query_table(rows) AS counted
        LEFT JOIN (FROM restrictions WHERE product_token = '*') AS everybody USING (policy_id)
        GROUP BY ALL
    ),
    to_named AS MATERIALIZED (
        SELECT
            stratum, named.* EXCLUDE (policy_id, matched_token, n_rules, crawl_delay),
            count(*) AS hosts, sum(weight) AS weight
        FROM query_table(rows) AS counted
        JOIN groups_for(tokens) AS named USING (policy_id)
        GROUP BY ALL
    ),
    -- Every row as if no file named a token, without those whose files do.
    to_unnamed AS (
        SELECT product_token, obeys_wildcard, to_everybody.*
        FROM to_everybody CROSS JOIN asked_agents(tokens)
        UNION ALL
        SELECT
            product_token, obeys_wildcard, stratum, false, wildcard_restriction, wildcard_restriction_cc,
            wildcard_restriction_dpi, wildcard_restriction_imc, -hosts, -weight
        FROM to_named
    ),
    answers AS (
        SELECT stratum, product_token, source, COLUMNS('^restriction'), hosts, weight FROM to_named
        UNION ALL BY NAME
        SELECT
            stratum, product_token,
            CASE WHEN holds THEN 'wildcard' WHEN is_fileless THEN 'no_file' ELSE 'none' END AS source,
            if(holds, restriction, 'none') AS restriction,
            coalesce(if(holds, restriction_cc, NULL), 'allow_all') AS restriction_cc,
            if(holds, restriction_dpi, 'none') AS restriction_dpi,
            if(holds, restriction_imc, 'none') AS restriction_imc, hosts, weight
        FROM (SELECT *, obeys_wildcard AND restriction IS NOT NULL AS holds FROM to_unnamed)
    )
    SELECT * EXCLUDE (hosts, weight), sum(hosts)::BIGINT AS hosts, sum(weight) AS weight
    FROM answers
    GROUP BY ALL
    HAVING sum(hosts) > 0;

-- The values of user-agent lines, in lower case, with the captures whose files have them, and in which crawls.
CREATE OR REPLACE VIEW mentioned_agents AS
    WITH captured AS (
        SELECT policy_id, crawl_number(crawl) AS position, count(*) AS captures
        FROM captures
        WHERE is_robotstxt_url
        GROUP BY ALL
    ),
    named AS (SELECT DISTINCT policy_id, lower(unnest(user_agents)) AS user_agent FROM groups)
    SELECT
        user_agent, sum(captures)::BIGINT AS mentions, count(DISTINCT position) AS crawls,
        crawl_labels()[min(position)] AS first_crawl, crawl_labels()[max(position)] AS last_crawl
    FROM named
    JOIN captured USING (policy_id)
    WHERE user_agent <> ''
    GROUP BY user_agent;
