-- The catalogue with the kinds of crawlers that answers show: the category, or `ai by lists` if that is one of AI, or
-- unclear, and only public lists and studies, not the operator, name AI. So "ai training" always rests on the
-- operator's word.
CREATE OR REPLACE VIEW agent_kinds AS
    SELECT * REPLACE (
        if(is_ai_basis = 'lists' AND (starts_with(category, 'ai ') OR category = 'unclear'), 'ai by lists', category)
            AS category
    )
    FROM agent_catalog;

-- The product token (RFC 9110 §5.6.2) that a crawler's name begins with, as in the table agents.
CREATE OR REPLACE MACRO token_of(name) AS regexp_extract(lower(trim(name)), '^[a-z0-9!#$%&''*+.^_`|~-]*');

-- Product tokens with what operators document for crawlers without a group of their own: whose group they obey, and
-- whether they obey the group for * at all (Google's advertising crawlers ignore it).
CREATE OR REPLACE MACRO asked_agents(tokens) AS TABLE
    SELECT product_token, fallback_token, coalesce(obeys_wildcard, true) AS obeys_wildcard
    FROM (SELECT token_of(unnest(tokens)) AS product_token)
    LEFT JOIN agent_catalog USING (product_token);

-- How many AI agents of the catalogue a policy names, how many of them it blocks fully, and whether it restricts one.
CREATE OR REPLACE VIEW ai_agents_named AS
    SELECT
        policy_id,
        count(*) AS agents_named,
        count(*) FILTER (restriction = 'full') AS agents_blocked,
        bool_or(restriction <> 'none') AS is_restricted
    FROM agents
    -- An expression, so that DuckDB compares the token after the rows are read. While they are read, it would test
    -- every row in up to three ways, although a quarter to half of the rows pass.
    WHERE product_token || '' IN (SELECT product_token FROM agent_catalog WHERE is_ai)
    GROUP BY policy_id;

-- How many crawlers of each kind a policy names, and whether it blocks one fully or partly, or leaves one a path.
CREATE OR REPLACE VIEW kinds_named AS
    SELECT
        policy_id, category, count(*) AS tokens, bool_or(restriction = 'full') AS blocks_one,
        bool_or(restriction = 'partial') AS blocks_one_partly, bool_or(restriction <> 'full') AS spares_one
    FROM agents JOIN agent_kinds USING (product_token)
    GROUP BY ALL;

-- The groups that policies have for the product tokens of a CTE with the columns of asked_agents: a token's own group
-- (source own), else the group of its fallback. restriction_cc of a group without rules, which Common Crawl skips, is
-- the wildcard group's.
CREATE OR REPLACE MACRO groups_for(asked_name) AS TABLE
    WITH own AS NOT MATERIALIZED (
        SELECT 'own' AS source, obeys_wildcard, product_token AS matched_token, agents.*
        FROM agents JOIN query_table(asked_name) USING (product_token)
    ),
    found AS NOT MATERIALIZED (
        FROM own
        UNION ALL
        SELECT
            'fallback', asked.obeys_wildcard, fallback.product_token,
            fallback.* REPLACE (asked.product_token AS product_token)
        FROM agents AS fallback
        JOIN query_table(asked_name) AS asked ON asked.fallback_token = fallback.product_token
        ANTI JOIN own ON own.policy_id = fallback.policy_id AND own.product_token = asked.product_token
    )
    SELECT * REPLACE (
        coalesce(restriction_cc, if(obeys_wildcard, wildcard_restriction_cc, NULL), 'allow_all') AS restriction_cc
    )
    FROM found;

-- What every policy means for each given product token: the token's own group, else the group of its fallback, else the
-- group of * (source wildcard), else nothing (source none: everything allowed). The joins have only equalities, because
-- DuckDB 1 compares every pair if an outer join has a condition on one side.
CREATE OR REPLACE MACRO effective_agents_of(tokens) AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens)),
    named AS NOT MATERIALIZED (FROM groups_for('asked'))
    SELECT
        policy_id, product_token, source, matched_token, restriction, restriction_cc, restriction_dpi, restriction_imc,
        n_rules, crawl_delay
    FROM named
    UNION ALL
    SELECT
        policies.policy_id, asked.product_token, coalesce(source, 'none'), matched_token,
        coalesce(restriction, 'none'), coalesce(restriction_cc, 'allow_all'), coalesce(restriction_dpi, 'none'),
        coalesce(restriction_imc, 'none'), coalesce(everybody.n_rules, 0), crawl_delay
    FROM policies
    LEFT JOIN (SELECT policy_id, list(product_token) AS tokens_named FROM named GROUP BY policy_id) USING (policy_id)
    CROSS JOIN asked
    LEFT JOIN (
        SELECT 'wildcard' AS source, true AS obeys_wildcard, '*' AS matched_token, * FROM agents WHERE product_token = '*'
    ) AS everybody USING (policy_id, obeys_wildcard)
    WHERE list_contains(tokens_named, asked.product_token) IS NOT TRUE;

-- The policies that name or fully block given product tokens; and only the policies that block.
CREATE OR REPLACE MACRO names_and_blocks(tokens) AS TABLE
    SELECT
        policy_id, product_token,
        source = 'own' AS names, restriction = 'full' AS blocks, names AND blocks AS blocks_by_name
    FROM effective_agents_of(tokens)
    WHERE names OR blocks;
CREATE OR REPLACE MACRO blocking_policies(tokens) AS TABLE
    SELECT policy_id, product_token FROM names_and_blocks(tokens) WHERE blocks;

-- One row per policy and crawler of the catalogue.
CREATE OR REPLACE VIEW effective_agents AS
    SELECT effective.*, category
    FROM effective_agents_of((SELECT list(product_token) FROM agent_catalog)) AS effective
    JOIN agent_kinds USING (product_token);

-- The rows of effective_agents for any crawler, by name: FROM effective_agent('MJ12bot').
CREATE OR REPLACE MACRO effective_agent(name) AS TABLE FROM effective_agents_of([name]);
