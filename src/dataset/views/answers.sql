-- A note for each of some crawlers that no file names: in any crawl, and in one.
CREATE OR REPLACE MACRO unnamed_note(product_token, place) AS
    'no file of ' || place || ' names ' || product_token
    || '; where it stands for itself, the rules for everybody (*) hold for it';
CREATE OR REPLACE MACRO unnamed_agents(names) AS TABLE
    SELECT unnamed_note(product_token, 'the dataset') AS note
    FROM (SELECT unnest(known_tokens(names)) AS product_token) AS asked
    WHERE product_token NOT IN (SELECT product_token FROM agents SEMI JOIN hosts USING (policy_id));
CREATE OR REPLACE MACRO unnamed_agents_in(names, label) AS TABLE
    SELECT unnamed_note(product_token, 'the crawl ' || known_crawl(label)) AS note
    FROM (SELECT unnest(known_tokens(names)) AS product_token) AS asked
    WHERE product_token NOT IN (
        SELECT product_token FROM agents SEMI JOIN of_crawl('hosts', label) AS crawled USING (policy_id)
    );

-- The n product tokens of the catalogue that most policies name, and the same for AI agents: the
-- default of queries. All tokens are counted first, because grouping dictionary texts is faster
-- than looking them up.
CREATE OR REPLACE MACRO usual_agents(n) AS coalesce((
    SELECT list(product_token ORDER BY policies DESC, product_token) FROM (
        FROM (SELECT product_token, count(*) AS policies FROM agents GROUP BY product_token)
        SEMI JOIN agent_catalog USING (product_token)
        ORDER BY policies DESC, product_token LIMIT n
    )
), []::VARCHAR[]);
CREATE OR REPLACE MACRO usual_ai_agents(n) AS coalesce((
    SELECT list(product_token ORDER BY policies DESC, product_token) FROM (
        FROM (SELECT product_token, count(*) AS policies FROM agents GROUP BY product_token)
        SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        ORDER BY policies DESC, product_token LIMIT n
    )
), []::VARCHAR[]);

-- What hosts that settled it answer each of some product tokens, in every crawl and in one: the columns of
-- effective_agents_of; source no_file and restriction none without a robots.txt. There is a row for each host
-- and token: to count, counted_answers is much faster.
CREATE OR REPLACE MACRO agent_answers(tokens) AS TABLE
    SELECT
        settled.*,
        coalesce(source, 'no_file') AS source,
        coalesce(restriction, 'none') AS restriction,
        coalesce(restriction_cc, 'allow_all') AS restriction_cc,
        coalesce(restriction_dpi, 'none') AS restriction_dpi,
        coalesce(restriction_imc, 'none') AS restriction_imc
    FROM (
        SELECT hosts.*, product_token
        FROM hosts
        CROSS JOIN (SELECT unnest(tokens) AS product_token) AS asked
        WHERE is_settled
    ) AS settled
    LEFT JOIN effective_agents_of(tokens) AS effective
        ON effective.policy_id = settled.policy_id AND effective.product_token = settled.product_token;
CREATE OR REPLACE MACRO agent_answers_in(tokens, label) AS TABLE
    FROM agent_answers(tokens) WHERE crawl = known_crawl(label);

-- How many of the rows of a CTE answer each of some product tokens how: a row for each stratum, token, source and
-- restriction (by the exact definition and by the published ones), with the rows and their weight. The CTE has
-- stratum, policy_id and weight. Rows without a policy have source no_file.
CREATE OR REPLACE MACRO counted_answers(tokens, rows) AS TABLE
    WITH policies_counted AS MATERIALIZED (
        SELECT stratum, policy_id, count(*) AS hosts, sum(weight) AS weight FROM query_table(rows) GROUP BY ALL
    )
    SELECT
        stratum,
        asked.product_token,
        coalesce(source, 'no_file') AS source,
        coalesce(restriction, 'none') AS restriction,
        coalesce(restriction_cc, 'allow_all') AS restriction_cc,
        coalesce(restriction_dpi, 'none') AS restriction_dpi,
        coalesce(restriction_imc, 'none') AS restriction_imc,
        sum(hosts)::BIGINT AS hosts,
        sum(weight) AS weight
    FROM policies_counted
    CROSS JOIN (SELECT unnest(tokens) AS product_token) AS asked
    LEFT JOIN effective_agents_of(tokens) AS effective
        ON effective.policy_id = policies_counted.policy_id AND effective.product_token = asked.product_token
    GROUP BY ALL;

-- From when on origins answered each of some product tokens so: one row for each capture that
-- settled it, until the next such of the origin; known_until is null for the last.
CREATE OR REPLACE VIEW settled_spans AS
    SELECT
        origin,
        url_host_name,
        crawl,
        fetch_time,
        lead(fetch_time) OVER (
            PARTITION BY origin
            ORDER BY (fetch_time, crawl, warc_filename, input_id, warc_record_offset, warc_record_inner_offset)
        ) AS known_until,
        policy_id
    FROM resolved
    WHERE fetch_time IS NOT NULL AND is_settled;
CREATE OR REPLACE MACRO agent_spans(tokens) AS TABLE
    SELECT
        settled.*,
        asked.product_token,
        coalesce(source, 'no_file') AS source,
        coalesce(restriction, 'none') AS restriction
    FROM settled_spans AS settled
    CROSS JOIN (SELECT unnest(tokens) AS product_token) AS asked
    LEFT JOIN effective_agents_of(tokens) AS effective
        ON effective.policy_id = settled.policy_id AND effective.product_token = asked.product_token;
