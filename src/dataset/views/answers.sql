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

-- How many of the rows of a CTE (hosts, spans: with a stratum, a policy_id and a weight) answer each
-- of some product tokens how: a row for each stratum, token, source and restriction, with rows and
-- their weight. Rows without a policy have source no_file. restriction is by the exact
-- definition, or by the published one whose column is named: restriction_cc, restriction_dpi,
-- restriction_imc. (Only one, because each further column to group by takes as long as the rest.)
CREATE OR REPLACE MACRO by_definition(definition, exact, cc, dpi, imc) AS
    CASE one_of(definition, ['restriction', 'restriction_cc', 'restriction_dpi', 'restriction_imc'], 'definition')
        WHEN 'restriction' THEN exact
        WHEN 'restriction_cc' THEN cc
        WHEN 'restriction_dpi' THEN dpi
        ELSE imc
    END;
CREATE OR REPLACE MACRO counted_answers(tokens, rows, definition := 'restriction') AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens)),
    crawled AS MATERIALIZED (
        SELECT stratum, policy_id, count(*) AS hosts, sum(weight) AS weight FROM query_table(rows) GROUP BY ALL
    ),
    -- What they would answer if nobody were named.
    unnamed AS (
        SELECT
            stratum,
            crawled.policy_id IS NOT NULL AS has_file,
            everybody.policy_id IS NOT NULL AS has_wildcard,
            coalesce(
                by_definition(definition, restriction, restriction_cc, restriction_dpi, restriction_imc),
                by_definition(definition, 'none', 'allow_all', 'none', 'none')
            ) AS restriction,
            sum(hosts) AS hosts,
            sum(weight) AS weight
        FROM crawled
        LEFT JOIN agents AS everybody ON everybody.policy_id = crawled.policy_id AND everybody.product_token = '*'
        GROUP BY ALL
    ),
    named AS MATERIALIZED (
        SELECT
            stratum,
            product_token,
            source,
            by_definition(definition, restriction, restriction_cc, restriction_dpi, restriction_imc) AS restriction,
            else_source,
            by_definition(
                definition, else_restriction, else_restriction_cc, else_restriction_dpi, else_restriction_imc
            ) AS else_restriction,
            sum(hosts) AS hosts,
            sum(weight) AS weight
        FROM crawled
        JOIN named_agents_of(tokens) AS named USING (policy_id)
        GROUP BY ALL
    ),
    counted AS (
        SELECT stratum, product_token, source, restriction, hosts, weight FROM named
        UNION ALL
        SELECT
            stratum,
            product_token,
            CASE
                WHEN NOT has_file THEN 'no_file'
                WHEN obeys_wildcard AND has_wildcard THEN 'wildcard'
                ELSE 'none'
            END,
            if(obeys_wildcard, restriction, by_definition(definition, 'none', 'allow_all', 'none', 'none')),
            hosts,
            weight
        FROM unnamed CROSS JOIN asked
        UNION ALL
        -- Somebody is: they have been counted with those above.
        SELECT stratum, product_token, else_source, else_restriction, -hosts, -weight FROM named
    )
    SELECT stratum, product_token, source, restriction, sum(hosts)::BIGINT AS hosts, sum(weight) AS weight
    FROM counted
    GROUP BY ALL
    HAVING sum(hosts) > 0;

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
