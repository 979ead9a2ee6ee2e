-- A note for each given crawler that no file names, in one crawl or (label `all`) in every crawl.
CREATE OR REPLACE MACRO unnamed_agents(names, label) AS TABLE
    SELECT
        'no file of ' || if(label = 'all', 'the dataset', 'the crawl ' || known_crawl(nullif(label, 'all')))
        || ' names ' || product_token || if(
            obeys_wildcard,
            '; the rules for ' || coalesce(fallback_token || ', else for ', '') || 'everybody (*) hold for it',
            '; it ignores the rules for everybody (*)'
        ) AS note
    FROM asked_agents(known_tokens(names))
    WHERE product_token NOT IN (
        SELECT product_token
        FROM agents
        SEMI JOIN (FROM hosts WHERE label = 'all' OR crawl = known_crawl(nullif(label, 'all'))) AS crawled
            USING (policy_id)
    );

-- The crawlers that a query is about: the requested ones, else the n crawlers of the catalogue (or its AI crawlers)
-- that the most policies name.
CREATE OR REPLACE MACRO usual_agents(n, only_ai) AS coalesce((
    SELECT list(product_token ORDER BY policies DESC, product_token)
    FROM (
        SELECT product_token, count(*) AS policies
        FROM agents SEMI JOIN files USING (policy_id) JOIN agent_catalog USING (product_token)
        WHERE is_ai OR NOT only_ai
        GROUP BY product_token
    )
)[:n], []::VARCHAR[]);
CREATE OR REPLACE MACRO chosen_agents(names, n) AS coalesce(known_tokens(names), usual_agents(n, false));
CREATE OR REPLACE MACRO chosen_ai_agents(names, n) AS coalesce(known_tokens(names), usual_agents(n, true));

-- What the policies of a CTE (stratum, policy_id, weight) mean for each given product token: a row for each stratum,
-- policy and token, with the number of the CTE's rows and their weight. Without a policy, source is no_file.
CREATE OR REPLACE MACRO counted_answers(tokens, rows) AS TABLE
    WITH of_policies AS MATERIALIZED (
        SELECT stratum, policy_id, count(*) AS hosts, sum(weight) AS weight FROM query_table(rows) GROUP BY ALL
    )
    SELECT stratum, hosts, weight, product_token, source, COLUMNS('^restriction')
    FROM of_policies JOIN effective_agents_of(tokens) USING (policy_id)
    UNION ALL
    SELECT stratum, hosts, weight, unnest(tokens), 'no_file', 'none', 'allow_all', 'none', 'none'
    FROM of_policies WHERE policy_id IS NULL;

-- The values of user-agent lines, in lower case, with the numbers of captures and crawls whose files have them, and the
-- first and last crawl.
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
    FROM named JOIN captured USING (policy_id)
    WHERE user_agent <> ''
    GROUP BY user_agent;
