-- What studies ask again and again:
--   latest_captures     the last word of every origin in every crawl
--   effective_agents    what a policy comes to for each crawler of agent_catalog, named in it or
--                       not; all of them are many rows: ask for some, or effective_agents_of(list)
--   effective_agent(t)  the same for any product token
--   effective_preferences(t)  what a policy prefers to be done with content by a product token
--   host_signals        every preference of a host, from its robots.txt and from HTTP headers
--   changes             what origins changed from one capture to the next
--   history(host)       every capture of a host, and what changed from one to the next
--   probes(run)         what a run of `robostat probe` found, by policy; host_probes(run) by host
-- and what the shipped queries share:
--   host_files          hosts with the counts of their files; by population:
--   hosts_captured, hosts_answered, hosts_with_file, hosts_with_rules
--   hosts_with_rules_by_owner and the like: the same, without the lines of platforms
--   file_groups         groups of files, with the platform that wrote each
--   hosts_in(population, label)  hosts alone, of a population in one crawl; population_size(…) of them
--   hosts_by(population, label, unit, weights)  the same with the weights that they have in shares;
--                       host_files_by(…) with the counts of their files
--   agent_shares(t, statement)  shares of hosts by what they answer product tokens, with intervals
--   counted_answers(t, statement)  how many answer product tokens how
--   named_agents_of(t)  what policies come to that have a group for product tokens
--   of_crawl(view, label)  the rows of a view in one crawl, the last one where the label is null
--   agent_answers(t), agent_answers_in(t, label)  what hosts answer each of some product tokens
--   agent_spans(t)      from when to when origins answered them so
-- At the end stands every shipped query, a macro with parameters: FROM agent_adoption(top := 10);

-- Scheme, host and port as one text, default ports left out. A URL whose host cannot exist has no
-- parts; its origin is what stands before the path.
CREATE OR REPLACE MACRO origin_of(protocol, host, port, url) AS
    coalesce(
        protocol || '://' || host || coalesce(':' || port, ''),
        regexp_extract(url, '^[^/?#]*//[^/?#]*')
    );

-- The port that a URL means: its own, else its scheme's.
CREATE OR REPLACE MACRO effective_port(protocol, port) AS
    coalesce(port, CASE protocol WHEN 'https' THEN 443 WHEN 'http' THEN 80 WHEN 'ftp' THEN 21 END);

-- What a response means to a crawler, in the classes of Common Crawl's robots.txt experiments.
-- They are named in the order in which `origins` prefers them:
--   success       2xx, and whatever brought a file: a 304 that repeats a known one, a resource record
--   allow_all     4xx but those below: there is no robots.txt
--   forbidden     401, 403: one school reads "no robots.txt", the other "keep out"
--   defer         408, 425, 429, 5xx, no status or an impossible one: ask again later
--   redirect      3xx
--   not_modified  304 to a file that the dataset does not have: says nothing
CREATE OR REPLACE MACRO response_class(status, file_id) AS
    CASE
        WHEN status BETWEEN 200 AND 299 OR file_id IS NOT NULL THEN 'success'
        WHEN status = 304 THEN 'not_modified'
        WHEN status BETWEEN 300 AND 399 THEN 'redirect'
        WHEN status IN (401, 403) THEN 'forbidden'
        WHEN status IN (408, 425, 429) THEN 'defer'
        WHEN status BETWEEN 400 AND 499 THEN 'allow_all'
        ELSE 'defer'
    END;

-- The latest capture of every origin's robots.txt in every crawl, whatever it answered. Most origins
-- have one: those are looked up, and only the others put in order.
CREATE OR REPLACE VIEW latest_captures AS
    WITH several AS (
        SELECT resolved.*
        FROM resolved
        SEMI JOIN (FROM origins WHERE n_captures > 1) AS origins
            ON origins.crawl = resolved.crawl AND origins.origin = resolved.origin
    ),
    latest AS (
        SELECT input_id, warc_record_offset, warc_record_inner_offset FROM origins WHERE n_captures = 1
        UNION ALL
        SELECT input_id, warc_record_offset, warc_record_inner_offset
        FROM several
        QUALIFY row_number() OVER (
            PARTITION BY crawl, origin
            ORDER BY (-epoch_us(fetch_time), warc_filename, input_id, warc_record_offset, warc_record_inner_offset)
        ) = 1
    )
    SELECT captures.* FROM captures SEMI JOIN latest USING (input_id, warc_record_offset, warc_record_inner_offset);

-- Product tokens that effective_agents has rows for: those of the catalogue.
CREATE OR REPLACE VIEW known_agents AS
    SELECT category, product_token FROM agent_catalog;

-- What operators document for crawlers that find no group of their own: whose group they take, and
-- whether the one for * holds for them at all (Google's advertising crawlers pass it over).
CREATE OR REPLACE VIEW agent_fallbacks AS
    SELECT product_token, fallback_token, obeys_wildcard
    FROM agent_catalog
    WHERE fallback_token IS NOT NULL OR NOT obeys_wildcard;

-- Some product tokens with whose group they take instead of one of their own, and whether the one
-- for * holds for them.
CREATE OR REPLACE MACRO asked_agents(tokens) AS TABLE
    SELECT token AS product_token, fallback_token, coalesce(obeys_wildcard, true) AS obeys_wildcard
    FROM (SELECT unnest(tokens) AS token) AS listed
    LEFT JOIN agent_fallbacks ON agent_fallbacks.product_token = token;

-- What the policies that have a group for some product tokens, or for their fallbacks, come to for
-- them: the rows of effective_agents_of whose source is own or fallback. All the others come to what
-- the group for * says, which is one answer for all tokens: whoever counts weighs that once.
--   else_…   what the group for * says, where it holds for the token; else nothing disallowed
CREATE OR REPLACE MACRO named_agents_of(tokens) AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens)),
    everybody AS (FROM agents WHERE product_token = '*'),
    own AS (
        SELECT agents.*, obeys_wildcard FROM agents JOIN asked USING (product_token)
    ),
    other AS (
        SELECT agents.* EXCLUDE (product_token), asked.product_token, fallback_token, obeys_wildcard
        FROM agents
        JOIN asked ON agents.product_token = asked.fallback_token
    ),
    found AS (
        SELECT
            own.policy_id,
            own.product_token,
            'own' AS source,
            own.product_token AS matched_token,
            own.restriction,
            coalesce(own.restriction_cc, other.restriction_cc) AS restriction_cc,
            own.restriction_dpi,
            own.restriction_imc,
            own.n_rules,
            own.crawl_delay,
            own.same_as_wildcard,
            own.obeys_wildcard
        FROM own
        LEFT JOIN other ON other.policy_id = own.policy_id AND other.product_token = own.product_token
        UNION ALL
        SELECT
            policy_id,
            product_token,
            'fallback',
            fallback_token,
            restriction,
            restriction_cc,
            restriction_dpi,
            restriction_imc,
            n_rules,
            crawl_delay,
            false,
            obeys_wildcard
        FROM other
        ANTI JOIN own USING (policy_id, product_token)
    )
    SELECT
        found.* REPLACE (coalesce(
            found.restriction_cc, if(obeys_wildcard, everybody.restriction_cc, NULL), 'allow_all'
        ) AS restriction_cc),
        if(obeys_wildcard AND everybody.policy_id IS NOT NULL, 'wildcard', 'none') AS else_source,
        if(obeys_wildcard, coalesce(everybody.restriction, 'none'), 'none') AS else_restriction,
        if(obeys_wildcard, coalesce(everybody.restriction_cc, 'allow_all'), 'allow_all') AS else_restriction_cc,
        if(obeys_wildcard, coalesce(everybody.restriction_dpi, 'none'), 'none') AS else_restriction_dpi,
        if(obeys_wildcard, coalesce(everybody.restriction_imc, 'none'), 'none') AS else_restriction_imc
    FROM found
    LEFT JOIN everybody ON everybody.policy_id = found.policy_id;

-- What each policy comes to for each of some product tokens: the token's own group, else that of
-- its fallback, else that of *, else nothing (everything allowed). source tells which: own,
-- fallback, wildcard, none. restriction_cc follows its authors in passing over groups without
-- rules. Captures without a policy (no file) have no rows: an outer join finds them.
CREATE OR REPLACE MACRO effective_agents_of(tokens) AS TABLE
    WITH named AS MATERIALIZED (FROM named_agents_of(tokens)),
    wildcard AS (
        SELECT policies.policy_id, agents.* EXCLUDE (policy_id)
        FROM policies
        LEFT JOIN agents ON agents.policy_id = policies.policy_id AND agents.product_token = '*'
    )
    SELECT
        policy_id,
        product_token,
        source,
        matched_token,
        restriction,
        restriction_cc,
        restriction_dpi,
        restriction_imc,
        n_rules,
        crawl_delay
    FROM named
    UNION ALL
    SELECT
        policy_id,
        asked.product_token,
        if(obeys_wildcard AND wildcard.product_token IS NOT NULL, 'wildcard', 'none'),
        if(obeys_wildcard, wildcard.product_token, NULL),
        if(obeys_wildcard, coalesce(wildcard.restriction, 'none'), 'none'),
        if(obeys_wildcard, coalesce(wildcard.restriction_cc, 'allow_all'), 'allow_all'),
        if(obeys_wildcard, coalesce(wildcard.restriction_dpi, 'none'), 'none'),
        if(obeys_wildcard, coalesce(wildcard.restriction_imc, 'none'), 'none'),
        if(obeys_wildcard, coalesce(wildcard.n_rules, 0), 0),
        if(obeys_wildcard, wildcard.crawl_delay, NULL)
    FROM wildcard
    CROSS JOIN asked_agents(tokens) AS asked
    ANTI JOIN named ON named.policy_id = wildcard.policy_id AND named.product_token = asked.product_token;

-- One row per policy and known agent.
CREATE OR REPLACE VIEW effective_agents AS
    SELECT effective.*, category
    FROM effective_agents_of((SELECT list(product_token) FROM known_agents)) AS effective
    JOIN known_agents USING (product_token);

-- The product token (RFC 9110, 5.6.2) that a crawler's name begins with, as agents has it.
CREATE OR REPLACE MACRO token_of(name) AS
    regexp_extract(lower(trim(name)), '^[a-z0-9!#$%&''*+.^_`|~-]*');

-- The same for any crawler, by name: FROM effective_agent('MJ12bot').
CREATE OR REPLACE MACRO effective_agent(name) AS TABLE
    FROM effective_agents_of([token_of(name)]);

-- The preferences of each policy that hold for a crawler, by name, as effective_agent has it: those
-- of the groups that it takes, and those for everybody. A path-scoped one holds where its path is
-- the longest that matches (draft-ietf-aipref-attach-05, section 3.1). Of several for the same use
-- and path, one that denies it wins (draft-ietf-aipref-vocab-08, section 5.1).
CREATE OR REPLACE MACRO effective_preferences(name) AS TABLE
    SELECT preferences.*
    FROM preferences
    LEFT JOIN groups USING (policy_id, group_index)
    LEFT JOIN effective_agent(name) AS effective USING (policy_id)
    WHERE group_index IS NULL
        OR list_contains(product_tokens[user_agent_first:user_agent_last], matched_token);

-- Every preference that a host states in a crawl, for whichever crawler: source tells whether in
-- its robots.txt (product_tokens: whom the group is for; null: everybody) or in a header of the
-- response to the request for it. Such a header is about that response; servers that send it do so
-- with everything, as a rule. Headers are parted at every comma, and a Content-Usage header is not
-- checked as a whole.
CREATE OR REPLACE VIEW host_signals AS
    WITH headers AS (
        SELECT
            crawl,
            hosts.url_host_name,
            hosts.origin,
            hosts.policy_id,
            unnest([
                {'vocabulary': 'content-signal', 'preference': NULL, 'header': http_content_signal},
                {'vocabulary': 'content-usage', 'preference': NULL, 'header': http_content_usage},
                {'vocabulary': 'license', 'preference': 'license', 'header': http_link_license},
                {'vocabulary': 'tdm', 'preference': 'tdm-reservation', 'header': http_tdm_reservation},
                {'vocabulary': 'tdm', 'preference': 'tdm-policy', 'header': http_tdm_policy}
            ], recursive := true)
        FROM hosts
        JOIN captures USING (crawl, input_id, warc_record_offset, warc_record_inner_offset)
        WHERE coalesce(
            http_content_signal, http_content_usage, http_link_license, http_tdm_reservation, http_tdm_policy
        ) IS NOT NULL
    ),
    header_items AS (
        SELECT
            *,
            trim(unnest(if(preference IS NULL, string_split(header, ','), [header]))) AS item
        FROM headers
        WHERE header IS NOT NULL
    ),
    header_pairs AS (
        SELECT
            * EXCLUDE (preference),
            coalesce(preference, lower(trim(regexp_extract(item, '^[^=;]*')))) AS preference,
            if(preference IS NULL, trim(regexp_extract(item, '=(.*)$', 1)), item) AS value
        FROM header_items
    )
    SELECT
        crawl,
        url_host_name,
        origin,
        'robots.txt' AS source,
        product_tokens[user_agent_first:user_agent_last] AS product_tokens,
        vocabulary,
        path,
        preference,
        value,
        allows,
        level,
        policy_id
    FROM hosts
    JOIN preferences USING (policy_id)
    LEFT JOIN groups USING (policy_id, group_index)
    UNION ALL BY NAME
    SELECT
        crawl,
        url_host_name,
        origin,
        'header' AS source,
        vocabulary,
        preference,
        value,
        CASE vocabulary
            WHEN 'content-signal' THEN CASE lower(value) WHEN 'yes' THEN true WHEN 'no' THEN false END
            WHEN 'content-usage' THEN CASE split_part(value, ';', 1) WHEN 'y' THEN true WHEN 'n' THEN false END
            WHEN 'tdm' THEN CASE preference || value
                WHEN 'tdm-reservation0' THEN true WHEN 'tdm-reservation1' THEN false END
        END AS allows,
        CASE WHEN vocabulary = 'content-signal' AND preference = 'use'
            AND lower(value) IN ('immediate', 'reference', 'full') THEN lower(value) END AS level,
        policy_id
    FROM header_pairs;

-- What origins changed: one row for each two captures in a row, over all crawls, between which the
-- policy differs. Only answers that settle the rules count, after redirects: a file, or that there
-- is none (404, 204), where the policy is null. Errors and unfollowed redirects between are passed
-- over, and so are changes of comments and sitemaps, which leave the policy as it is.
--   agents_added, agents_removed     product tokens that have a group on one side only
--   agents_stricter, agents_looser   those with one on both, by restriction (none, partial, full)
CREATE OR REPLACE VIEW changes AS
    WITH settled AS (
        SELECT
            *,
            row_number() OVER origin_in_order > 1 AS has_before,
            lag(crawl) OVER origin_in_order AS crawl_before,
            lag(fetch_time) OVER origin_in_order AS fetch_time_before,
            lag(final_status) OVER origin_in_order AS final_status_before,
            lag(policy_id) OVER origin_in_order AS policy_id_before
        FROM resolved
        WHERE is_settled
        WINDOW origin_in_order AS (
            PARTITION BY origin
            ORDER BY fetch_time NULLS FIRST, crawl, warc_filename, input_id, warc_record_offset, warc_record_inner_offset
        )
    ),
    changed AS (
        SELECT * FROM settled WHERE has_before AND policy_id IS DISTINCT FROM policy_id_before
    ),
    pairs AS (
        SELECT DISTINCT policy_id_before, policy_id FROM changed
    ),
    sides AS (
        SELECT pairs.policy_id_before, pairs.policy_id, product_token, restriction AS before, NULL AS after
        FROM pairs JOIN agents ON agents.policy_id = pairs.policy_id_before
        UNION ALL
        SELECT pairs.policy_id_before, pairs.policy_id, product_token, NULL, restriction
        FROM pairs JOIN agents ON agents.policy_id = pairs.policy_id
    ),
    tokens AS (
        SELECT
            policy_id_before,
            policy_id,
            product_token,
            list_position(['none', 'partial', 'full'], max(before)) AS before,
            list_position(['none', 'partial', 'full'], max(after)) AS after
        FROM sides
        GROUP BY ALL
    ),
    differences AS (
        SELECT
            policy_id_before,
            policy_id,
            list(product_token ORDER BY product_token) FILTER (before IS NULL) AS agents_added,
            list(product_token ORDER BY product_token) FILTER (after IS NULL) AS agents_removed,
            list(product_token ORDER BY product_token) FILTER (after > before) AS agents_stricter,
            list(product_token ORDER BY product_token) FILTER (after < before) AS agents_looser
        FROM tokens
        GROUP BY ALL
    )
    SELECT
        origin,
        url_protocol,
        url_host_name,
        url_host_tld,
        url_host_registered_domain,
        url_port,
        crawl_before,
        crawl,
        fetch_time_before,
        fetch_time,
        final_status_before,
        final_status,
        changed.policy_id_before,
        changed.policy_id,
        coalesce(agents_added, []) AS agents_added,
        coalesce(agents_removed, []) AS agents_removed,
        coalesce(agents_stricter, []) AS agents_stricter,
        coalesce(agents_looser, []) AS agents_looser
    FROM changed
    LEFT JOIN differences
        ON differences.policy_id IS NOT DISTINCT FROM changed.policy_id
        AND differences.policy_id_before IS NOT DISTINCT FROM changed.policy_id_before;

-- A host as url_host_name_reversed has it: its labels in reverse; an IP address as it is.
CREATE OR REPLACE MACRO reversed_host(host) AS
    CASE
        WHEN regexp_full_match(host, '[0-9.]*|\[.*') THEN host
        ELSE array_to_string(list_reverse(string_split(lower(host), '.')), '.')
    END;

-- Every capture of a host, by name, over all crawls in order of time: FROM history('example.com').
-- change tells what is other than in the answer before of the same origin:
--   first   nothing was known before        same    the same file, or again none
--   file    comments, blank lines, sitemaps rules   the rules, also where a file came or went
-- It is null for an error or an unfollowed redirect, which says nothing of the rules. agents_ lists
-- are those of `changes`. Only row groups with the host and its policies are read.
CREATE OR REPLACE MACRO history(host) AS TABLE
    WITH of_host AS MATERIALIZED (
        FROM resolved WHERE url_host_name_reversed = reversed_host(host)
    ),
    settled AS (
        SELECT
            input_id,
            warc_record_offset,
            warc_record_inner_offset,
            file_id,
            policy_id,
            row_number() OVER origin_in_order > 1 AS has_before,
            lag(file_id) OVER origin_in_order AS file_id_before,
            lag(policy_id) OVER origin_in_order AS policy_id_before
        FROM of_host
        WHERE is_settled
        WINDOW origin_in_order AS (
            PARTITION BY origin
            ORDER BY fetch_time NULLS FIRST, crawl, warc_filename, input_id, warc_record_offset, warc_record_inner_offset
        )
    ),
    said AS MATERIALIZED (
        SELECT policy_id, product_token, list_position(['none', 'partial', 'full'], restriction) AS restriction
        FROM agents
        WHERE policy_id IN (SELECT policy_id FROM of_host)
    ),
    pairs AS (
        SELECT DISTINCT policy_id_before, policy_id FROM settled
        WHERE has_before AND policy_id IS DISTINCT FROM policy_id_before
    ),
    tokens AS (
        SELECT
            policy_id_before,
            policy_id,
            product_token,
            max(restriction) FILTER (is_before) AS before,
            max(restriction) FILTER (NOT is_before) AS after
        FROM (
            SELECT pairs.*, product_token, restriction, true AS is_before
            FROM pairs JOIN said ON said.policy_id = policy_id_before
            UNION ALL
            SELECT pairs.*, product_token, restriction, false
            FROM pairs JOIN said ON said.policy_id = pairs.policy_id
        )
        GROUP BY ALL
    ),
    differences AS (
        SELECT
            policy_id_before,
            policy_id,
            list(product_token ORDER BY product_token) FILTER (before IS NULL) AS agents_added,
            list(product_token ORDER BY product_token) FILTER (after IS NULL) AS agents_removed,
            list(product_token ORDER BY product_token) FILTER (after > before) AS agents_stricter,
            list(product_token ORDER BY product_token) FILTER (after < before) AS agents_looser
        FROM tokens
        GROUP BY ALL
    )
    SELECT
        of_host.fetch_time,
        of_host.crawl,
        of_host.origin,
        of_host.fetch_status,
        of_host.n_redirects,
        of_host.ended,
        of_host.final_url,
        of_host.final_status,
        of_host.response_class,
        of_host.file_id,
        of_host.policy_id,
        CASE
            WHEN has_before IS NULL THEN NULL
            WHEN NOT has_before THEN 'first'
            WHEN settled.policy_id IS DISTINCT FROM settled.policy_id_before THEN 'rules'
            WHEN settled.file_id IS DISTINCT FROM file_id_before THEN 'file'
            ELSE 'same'
        END AS change,
        coalesce(agents_added, []) AS agents_added,
        coalesce(agents_removed, []) AS agents_removed,
        coalesce(agents_stricter, []) AS agents_stricter,
        coalesce(agents_looser, []) AS agents_looser
    FROM of_host
    LEFT JOIN settled USING (input_id, warc_record_offset, warc_record_inner_offset)
    LEFT JOIN differences
        ON has_before
        AND differences.policy_id IS NOT DISTINCT FROM settled.policy_id
        AND differences.policy_id_before IS NOT DISTINCT FROM settled.policy_id_before
    ORDER BY
        of_host.fetch_time NULLS FIRST,
        of_host.crawl,
        of_host.origin,
        of_host.warc_filename,
        of_host.warc_record_offset,
        of_host.warc_record_inner_offset;

-- What a run of `robostat probe` found, by policy: FROM probes('probe').
CREATE OR REPLACE MACRO probes(run) AS TABLE
    SELECT * FROM read_parquet(dataset_path('probes/' || run || '.parquet'), hive_partitioning = false);

-- The same by host: a path for every host (`hosts`), a path with a host for that one, a URL for its
-- origin (`origins`), each by the policy of the response that counts. Where there is none (no file),
-- there are no rows: response_class in `hosts` tells what that means.
CREATE OR REPLACE MACRO host_probes(run) AS TABLE
    WITH asked AS (
        SELECT * FROM read_parquet(dataset_path('probes/' || run || '.parquet'), hive_partitioning = false)
    )
    SELECT hosts.crawl, hosts.url_host_name, hosts.origin, asked.* EXCLUDE (url_host_name, origin)
    FROM hosts JOIN asked USING (policy_id)
    WHERE asked.origin IS NULL AND coalesce(asked.url_host_name = hosts.url_host_name, true)
    UNION ALL
    SELECT origins.crawl, origins.url_host_name, origins.origin, asked.* EXCLUDE (url_host_name, origin)
    FROM origins JOIN asked USING (policy_id, origin);

-- ---- What the shipped queries share ----

-- A text as SQL writes it.
CREATE OR REPLACE MACRO sql_text(value) AS chr(39) || replace(value, chr(39), chr(39) || chr(39)) || chr(39);

-- The crawl that a parameter names: the last one, by label, where it is null; an error where the
-- dataset has none of that label.
CREATE OR REPLACE MACRO known_crawl(label) AS
    CASE
        WHEN coalesce(label, '') = '' THEN coalesce(crawl_labels()[-1], '')
        WHEN list_contains(crawl_labels(), label) THEN label
        ELSE error('there is no crawl ' || label || '; the dataset has ' || array_to_string(crawl_labels(), ', '))
    END;

-- The rows of a view in one crawl: FROM of_crawl('hosts', '2026-01'). DuckDB is given the label as a
-- constant, and so reads that crawl's parts only.
CREATE OR REPLACE MACRO of_crawl(view_name, label) AS TABLE
    FROM query('FROM ' || view_name || ' WHERE crawl = ' || sql_text(known_crawl(label)));

-- The product tokens of a list of crawlers, in its order; null where there is no list. Case does not
-- matter. A name that no file and no row of agent_catalog has is an error.
CREATE OR REPLACE MACRO known_tokens(names) AS (
    WITH asked AS (
        SELECT name, token_of(name) AS token, position
        FROM (SELECT unnest(names) AS name, generate_subscripts(names, 1) AS position)
    ),
    new AS (
        SELECT name, token FROM asked
        WHERE token <> '*' AND token NOT IN (SELECT product_token FROM agent_catalog)
    ),
    strange AS (
        SELECT name, token FROM new
        WHERE token NOT IN (SELECT product_token FROM agents WHERE product_token IN (SELECT token FROM new))
    ),
    -- All names are looked through only where one is strange.
    known AS (
        SELECT product_token FROM agent_catalog
        UNION
        SELECT product_token FROM agents WHERE (SELECT count(*) FROM strange) > 0
    ),
    unknown AS (
        SELECT
            name,
            (
                SELECT string_agg(product_token, ', ')
                FROM (
                    SELECT product_token FROM known
                    WHERE jaro_winkler_similarity(product_token, token) > 0.75
                    ORDER BY jaro_winkler_similarity(product_token, token) DESC, product_token
                    LIMIT 3
                )
            ) AS near
        FROM strange
    )
    SELECT CASE
        WHEN names IS NULL THEN NULL
        WHEN (SELECT count(*) FROM unknown) > 0 THEN error((
            SELECT string_agg(
                'no file of the dataset and no row of agent_catalog names the crawler ' || name
                    || coalesce('; is it one of ' || near || '?', ''),
                '. '
            )
            FROM unknown
        ))
        ELSE (SELECT list(token ORDER BY position) FROM (SELECT token, min(position) AS position FROM asked GROUP BY token))
    END
);

-- A share in per cent, to two decimals; null of nothing.
CREATE OR REPLACE MACRO pct(part, whole) AS
    round(100.0 * part / nullif(whole, 0), 2) + 0.0;

-- Whether a response settles what crawlers may do: there is a file, or none (404 and the like, 204).
CREATE OR REPLACE MACRO is_settling(status, file_id, policy_id) AS
    policy_id IS NOT NULL OR status = 204 OR response_class(status, file_id) = 'allow_all';

-- Every host in every crawl with the counts of its file (null where there is none).
CREATE OR REPLACE VIEW host_files AS
    SELECT hosts.*, files.* EXCLUDE (file_id, file_id_high, policy_id, body)
    FROM hosts
    LEFT JOIN files ON files.file_id = hosts.file_id;

-- The populations that shares are of, each a part of the one before:
--   captured    every host with a response, whatever it is
--   answered    those that answered conclusively: with a file, or that there is none (404 and the like)
--   with_file   those with a robots.txt: rules, or other lines of one
--   with_rules  those in whose robots.txt there are rules, in a group
CREATE OR REPLACE VIEW hosts_captured AS FROM host_files;
CREATE OR REPLACE VIEW hosts_answered AS FROM host_files WHERE is_settled;
CREATE OR REPLACE VIEW hosts_with_file AS FROM host_files WHERE has_lines;
CREATE OR REPLACE VIEW hosts_with_rules AS FROM host_files WHERE has_rules;

-- The same hosts by what their owners wrote: policy_id is that of the file without the lines of
-- platforms (files.owner_policy_id), has_rules whether the owner wrote a rule.
CREATE OR REPLACE VIEW host_files_by_owner AS
    SELECT
        host_files.* REPLACE (
            owner_policy_id AS policy_id,
            coalesce(policies.n_rules > 0, false) AS has_rules
        )
    FROM host_files
    LEFT JOIN policies ON policies.policy_id = owner_policy_id;
CREATE OR REPLACE VIEW hosts_answered_by_owner AS FROM host_files_by_owner WHERE is_settled;
CREATE OR REPLACE VIEW hosts_with_file_by_owner AS FROM host_files_by_owner WHERE has_lines;
CREATE OR REPLACE VIEW hosts_with_rules_by_owner AS FROM host_files_by_owner WHERE has_rules;

-- Every group of every file, with the platform that wrote it: null where the owner did. Its lines are
-- those of the policy's exemplar file.
CREATE OR REPLACE VIEW file_groups AS
    SELECT files.file_id, platforms.platform, platforms.platform_version, groups.*
    FROM files
    JOIN groups ON groups.policy_id = files.policy_id
    LEFT JOIN platforms
        ON platforms.file_id = files.file_id AND group_index BETWEEN group_first AND group_last;

-- A word among those that a parameter takes.
CREATE OR REPLACE MACRO one_of(word, words, parameter) AS
    CASE
        WHEN list_contains(words, word) THEN word
        ELSE error(parameter || ' takes ' || array_to_string(words, ', ') || ', not ' || word)
    END;

-- The words for populations; those by owner are without what platforms wrote.
CREATE OR REPLACE MACRO known_population(population) AS
    one_of(
        population,
        [
            'captured', 'answered', 'with_file', 'with_rules',
            'answered_by_owner', 'with_file_by_owner', 'with_rules_by_owner'
        ],
        'population'
    );

-- What the hosts of a population have, as a condition on `hosts`, and what they are read from: populations
-- by owner take the policy of the file without the lines of platforms.
CREATE OR REPLACE MACRO population_condition(population) AS
    CASE replace(known_population(population), '_by_owner', '')
        WHEN 'captured' THEN 'true'
        WHEN 'answered' THEN 'is_settled'
        WHEN 'with_file' THEN 'has_lines'
        ELSE 'has_rules'
    END;
CREATE OR REPLACE MACRO population_source(population, source) AS
    if(contains(population, '_by_owner'), 'host_files_by_owner', source);

-- The hosts of a population in one crawl, without the counts of their files, which take a join; and
-- how many they are.
CREATE OR REPLACE MACRO hosts_in(population, label) AS TABLE
    FROM query(
        'FROM ' || population_source(population, 'hosts') || ' WHERE ' || population_condition(population)
        || ' AND crawl = ' || sql_text(known_crawl(label))
    );
CREATE OR REPLACE MACRO population_size(population, label) AS
    (SELECT count(*) FROM hosts_in(population, label));

-- A note for each of some crawlers that no file names: in any crawl, and in one.
CREATE OR REPLACE MACRO unnamed_agents_of(names, statement, place) AS TABLE
    SELECT
        'no file of ' || place || ' names ' || product_token
            || '; where it stands for itself, the rules for everybody (*) hold for it' AS note
    FROM (SELECT unnest(known_tokens(names)) AS product_token) AS asked
    WHERE product_token NOT IN (SELECT product_token FROM agents SEMI JOIN query(statement) USING (policy_id));
CREATE OR REPLACE MACRO unnamed_agents(names) AS TABLE
    FROM unnamed_agents_of(names, 'FROM hosts', 'the dataset');
CREATE OR REPLACE MACRO unnamed_agents_in(names, label) AS TABLE
    FROM unnamed_agents_of(
        names,
        'FROM hosts WHERE crawl = ' || sql_text(known_crawl(label)),
        'the crawl ' || known_crawl(label)
    );

-- The n product tokens of the catalogue that most policies name, and the same of AI agents: what
-- queries ask about unless they are told.
CREATE OR REPLACE MACRO usual_agents(n) AS coalesce((
    SELECT list(product_token ORDER BY policies DESC, product_token) FROM (
        SELECT product_token, count(*) AS policies
        FROM agents SEMI JOIN agent_catalog USING (product_token)
        GROUP BY product_token ORDER BY policies DESC, product_token LIMIT n
    )
), []::VARCHAR[]);
CREATE OR REPLACE MACRO usual_ai_agents(n) AS coalesce((
    SELECT list(product_token ORDER BY policies DESC, product_token) FROM (
        SELECT product_token, count(*) AS policies
        FROM agents SEMI JOIN (FROM agent_catalog WHERE is_ai) USING (product_token)
        GROUP BY product_token ORDER BY policies DESC, product_token LIMIT n
    )
), []::VARCHAR[]);

-- What hosts that settled it answer each of some product tokens: the columns of
-- effective_agents_of; source no_file and restriction none where there is no robots.txt. The hosts
-- are those that a statement finds. It has a row for each host and token: to count, counted_answers
-- is much faster.
CREATE OR REPLACE MACRO answers_of_hosts(statement, tokens) AS TABLE
    SELECT
        settled.*,
        coalesce(source, 'no_file') AS source,
        coalesce(restriction, 'none') AS restriction,
        coalesce(restriction_cc, 'allow_all') AS restriction_cc,
        coalesce(restriction_dpi, 'none') AS restriction_dpi,
        coalesce(restriction_imc, 'none') AS restriction_imc
    FROM (
        SELECT hosts.*, product_token
        FROM query(statement) AS hosts
        CROSS JOIN (SELECT unnest(tokens) AS product_token) AS asked
        WHERE is_settled
    ) AS settled
    LEFT JOIN effective_agents_of(tokens) AS effective
        ON effective.policy_id = settled.policy_id AND effective.product_token = settled.product_token;

-- How many of the rows of a statement (hosts, spans: with a part, a policy_id and a weight) answer each
-- of some product tokens how: a row for each part, token, source, restriction and published
-- definition, with rows and their weight. Those without a policy have source no_file.
CREATE OR REPLACE MACRO counted_answers(tokens, statement) AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens)),
    crawled AS MATERIALIZED (
        SELECT part, policy_id, count(*) AS hosts, sum(weight) AS weight FROM query(statement) GROUP BY ALL
    ),
    -- What they would answer if nobody were named.
    unnamed AS (
        SELECT
            part,
            crawled.policy_id IS NOT NULL AS has_file,
            everybody.policy_id IS NOT NULL AS has_wildcard,
            coalesce(restriction, 'none') AS restriction,
            coalesce(restriction_cc, 'allow_all') AS restriction_cc,
            coalesce(restriction_dpi, 'none') AS restriction_dpi,
            coalesce(restriction_imc, 'none') AS restriction_imc,
            sum(hosts) AS hosts,
            sum(weight) AS weight
        FROM crawled
        LEFT JOIN agents AS everybody ON everybody.policy_id = crawled.policy_id AND everybody.product_token = '*'
        GROUP BY ALL
    ),
    named AS MATERIALIZED (
        SELECT
            part,
            product_token,
            source,
            restriction,
            restriction_cc,
            restriction_dpi,
            restriction_imc,
            else_source,
            else_restriction,
            else_restriction_cc,
            else_restriction_dpi,
            else_restriction_imc,
            sum(hosts) AS hosts,
            sum(weight) AS weight
        FROM crawled
        JOIN named_agents_of(tokens) AS named USING (policy_id)
        GROUP BY ALL
    ),
    counted AS (
        SELECT
            part, product_token, source, restriction, restriction_cc, restriction_dpi, restriction_imc, hosts, weight
        FROM named
        UNION ALL
        SELECT
            part,
            product_token,
            CASE
                WHEN NOT has_file THEN 'no_file'
                WHEN obeys_wildcard AND has_wildcard THEN 'wildcard'
                ELSE 'none'
            END,
            if(obeys_wildcard, restriction, 'none'),
            if(obeys_wildcard, restriction_cc, 'allow_all'),
            if(obeys_wildcard, restriction_dpi, 'none'),
            if(obeys_wildcard, restriction_imc, 'none'),
            hosts,
            weight
        FROM unnamed CROSS JOIN asked
        UNION ALL
        -- Somebody is: they have been counted with those above.
        SELECT
            part,
            product_token,
            else_source,
            else_restriction,
            else_restriction_cc,
            else_restriction_dpi,
            else_restriction_imc,
            -hosts,
            -weight
        FROM named
    )
    SELECT
        part,
        product_token,
        source,
        restriction,
        restriction_cc,
        restriction_dpi,
        restriction_imc,
        sum(hosts)::BIGINT AS hosts,
        sum(weight) AS weight
    FROM counted
    GROUP BY ALL
    HAVING sum(hosts) > 0;

-- The same of every host in every crawl, and in one.
CREATE OR REPLACE MACRO agent_answers(tokens) AS TABLE
    FROM answers_of_hosts('FROM hosts', tokens);
CREATE OR REPLACE MACRO agent_answers_in(tokens, label) AS TABLE
    FROM answers_of_hosts('FROM hosts WHERE crawl = ' || sql_text(known_crawl(label)), tokens);

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

-- A statement that reads two columns of a CSV (with or without header) or Parquet file, or nothing
-- where there is no file.
CREATE OR REPLACE MACRO two_columns_of(path, first, second) AS
    CASE
        WHEN path IS NULL THEN 'SELECT NULL AS ' || first || ', NULL AS ' || second || ' WHERE false'
        WHEN path LIKE '%.parquet' THEN
            'SELECT ' || first || ', ' || second || ' FROM read_parquet(''' || replace(path, '''', '''''') || ''')'
        ELSE
            'SELECT ' || first || ', ' || second || ' FROM read_csv(''' || replace(path, '''', '''''')
            || ''', header = false, all_varchar = true, names = [''' || first || ''', ''' || second || '''])'
            || ' WHERE ' || second || ' <> ''' || second || ''''
    END;

-- Ranks of domains, from a file of the user's: columns rank, domain, as Tranco publishes them. Empty
-- where there is no file.
CREATE OR REPLACE MACRO ranks_of(path) AS TABLE
    SELECT rank::BIGINT AS rank, lower(domain::VARCHAR) AS domain
    FROM query(two_columns_of(path, 'rank', 'domain'));

-- The ranks of hosts: that of the name, with or without a leading www.; where the list ranks
-- registrable domains, else that of the domain. It does where hardly any of its names that the dataset
-- knows is that of a host below one.
CREATE OR REPLACE MACRO host_ranks_of(path) AS TABLE
    WITH ranked AS (
        SELECT domain AS name, min(rank) AS rank FROM ranks_of(path) GROUP BY ALL
    ),
    named AS (
        SELECT DISTINCT
            url_host_name,
            regexp_replace(url_host_name, '^www\.', '') AS bare_name,
            domain AS registered
        FROM hosts
    ),
    own AS (
        SELECT url_host_name, bare_name, registered, min(rank) AS rank
        FROM (
            SELECT named.*, ranked.rank FROM named LEFT JOIN ranked ON ranked.name = url_host_name
            UNION ALL
            SELECT named.*, ranked.rank FROM named JOIN ranked ON ranked.name = bare_name
            UNION ALL
            SELECT named.*, ranked.rank FROM named JOIN ranked ON ranked.name = 'www.' || url_host_name
        )
        GROUP BY ALL
    ),
    list_of_domains AS (
        SELECT count(*) FILTER (bare_name <> registered) <= 0.01 * count(*) AS is_true FROM own WHERE rank IS NOT NULL
    )
    SELECT url_host_name, coalesce(own.rank, if(is_true, ranked.rank, NULL)) AS rank
    FROM own
    CROSS JOIN list_of_domains
    LEFT JOIN ranked ON ranked.name = registered;

-- Labels of domains (a sector, a language, whether they are reputable), from a file of the user's:
-- columns domain, label. Empty where there is no file.
CREATE OR REPLACE MACRO labels_of(path) AS TABLE
    SELECT lower(domain::VARCHAR) AS domain, label::VARCHAR AS label
    FROM query(two_columns_of(path, 'domain', 'label'));

-- The labels of a host: those of its name, with or without a leading www., and of its registrable
-- domain. A host can have several.
CREATE OR REPLACE MACRO host_labels_of(path) AS TABLE
    SELECT DISTINCT url_host_name, label
    FROM (
        SELECT DISTINCT
            url_host_name,
            unnest([url_host_name, regexp_replace(url_host_name, '^www\.', ''), url_host_registered_domain]) AS domain
        FROM hosts
    )
    JOIN labels_of(path) USING (domain);

-- Weights of domains or hosts (visits, pages, tokens), from a file of the user's: columns domain,
-- weight. Empty where there is no file.
CREATE OR REPLACE MACRO weights_of(path) AS TABLE
    SELECT lower(domain::VARCHAR) AS domain, max(weight::DOUBLE) AS weight
    FROM query(two_columns_of(path, 'domain', 'weight'))
    GROUP BY ALL;

-- SQL for hosts, each with the weight that it has in a share by
--   host    1
--   domain  1 for the hosts of a registrable domain together: each has an equal part
--   weight  that of its name, with or without www., in the user's file, else an equal part of that of
--           its registrable domain; 0 where the file has neither
-- It is text, so that DuckDB is not given what the weight at hand does not need.
CREATE OR REPLACE MACRO weighed_sql(source, condition, unit, weights) AS
    CASE one_of(unit, ['host', 'domain', 'weight'], 'by')
        WHEN 'host' THEN '(SELECT *, 1.0::DOUBLE AS weight FROM ' || source || ' WHERE ' || condition || ')'
        WHEN 'domain' THEN
            '(SELECT hosts.*, of_domain.weight FROM (FROM ' || source || ' WHERE ' || condition || ') AS hosts'
            || ' JOIN (SELECT crawl, domain, 1.0::DOUBLE / count(*) AS weight FROM '
            || if(source = 'host_files', 'hosts', source) || ' WHERE ' || condition
            || ' GROUP BY ALL) AS of_domain USING (crawl, domain))'
        ELSE
            'weighed_by_file(' || sql_text(source) || ', ' || sql_text(condition) || ', '
            || if(weights IS NULL, error('by := ''weight'' needs weights, a file of domain and weight'), sql_text(weights))
            || ')'
    END;
CREATE OR REPLACE MACRO weighed_by_file(source, condition, weights) AS TABLE
    SELECT
        hosts.*,
        coalesce(
            own.weight,
            of_domain.weight / count(*) FILTER (own.weight IS NULL) OVER (PARTITION BY crawl, hosts.domain),
            0
        )::DOUBLE AS weight
    FROM query('FROM ' || source || ' WHERE ' || condition) AS hosts
    LEFT JOIN weights_of(weights) AS own ON own.domain = regexp_replace(url_host_name, '^www\.', '')
    LEFT JOIN weights_of(weights) AS of_domain ON of_domain.domain = hosts.domain;

-- The hosts of a population that meet a condition, with their weights and the counts of their files.
CREATE OR REPLACE MACRO weighed_hosts(population, condition, unit, weights) AS TABLE
    FROM query('FROM ' || weighed_sql(
        population_source(population, 'host_files'),
        population_condition(population) || ' AND (' || condition || ')',
        unit,
        weights
    ));

-- SQL for the hosts of a population in one crawl, and in all, with their weights: what agent_shares
-- and counted_answers take. host_files_sql has the counts of their files too, which takes a join.
CREATE OR REPLACE MACRO one_crawl(population, label) AS
    population_condition(population) || ' AND crawl = ' || sql_text(known_crawl(label));
CREATE OR REPLACE MACRO hosts_sql(population, label, unit, weights) AS
    weighed_sql(population_source(population, 'hosts'), one_crawl(population, label), unit, weights);
CREATE OR REPLACE MACRO host_files_sql(population, label, unit, weights) AS
    weighed_sql(population_source(population, 'host_files'), one_crawl(population, label), unit, weights);
CREATE OR REPLACE MACRO all_hosts_sql(population, unit, weights) AS
    weighed_sql(population_source(population, 'hosts'), population_condition(population), unit, weights);

-- Half the width of the 95 % interval of a share, by the linearised ratio estimator over domains as
-- clusters: of hosts of one domain only what the domain does counts as evidence. Given are sums over
-- m domains: y of what is counted, w of the weights, yy, yw and ww of their squares and products.
-- Null where there is nothing to estimate from: one domain, or no domain or every one counted.
CREATE OR REPLACE MACRO share_margin(y, yy, yw, w, ww, m) AS
    CASE
        WHEN m > 1 AND yy > 0 AND NOT (yy = yw AND yw = ww) THEN
            1.959964 * sqrt(m / (m - 1.0) * greatest(0, yy - 2 * (y / w) * yw + (y / w) * (y / w) * ww)) / w
    END;
CREATE OR REPLACE MACRO pct_low(y, yy, yw, w, ww, m) AS
    CASE WHEN share_margin(y, yy, yw, w, ww, m) IS NOT NULL THEN
        round(100 * greatest(0, y / w - share_margin(y, yy, yw, w, ww, m)), 2) + 0.0
    END;
CREATE OR REPLACE MACRO pct_high(y, yy, yw, w, ww, m) AS
    CASE WHEN share_margin(y, yy, yw, w, ww, m) IS NOT NULL THEN
        round(100 * least(1, y / w + share_margin(y, yy, yw, w, ww, m)), 2) + 0.0
    END;

-- What hosts answer each of some product tokens, in shares with intervals: by strata of a statement's
-- rows, which are hosts with a weight (see weighed_sql) and a stratum. A row for each stratum and
-- token:
--   n, n_domains                hosts and registrable domains of the stratum
--   hosts_named, hosts_full, hosts_full_by_name, hosts_partial, hosts_partial_by_name   counts
--   pct_named, pct_full, …      shares, of the weights; pct_…_low and _high: the ends of their intervals
--   pct_full_of_hosts, pct_full_of_domains   pct_full where every host, and every domain, weighs the same
--   top_domain                  the domain with most of hosts_full, and pct_of_top_domain its part
-- What the group for * says is summed once, for all tokens: `more` is what a domain has more than that
-- for a token, because of groups for it.
CREATE OR REPLACE MACRO agent_shares(tokens, statement) AS TABLE
    WITH asked AS MATERIALIZED (FROM asked_agents(tokens)),
    weighed AS MATERIALIZED (
        SELECT stratum, domain, policy_id, has_rules, weight FROM query(statement)
    ),
    everybody AS (
        SELECT policy_id, restriction FROM agents WHERE product_token = '*' AND restriction <> 'none'
    ),
    domains AS MATERIALIZED (
        SELECT
            stratum,
            domain,
            count(*) AS hosts,
            sum(weight) AS weight,
            count(*) FILTER (restriction = 'full') AS hosts_full,
            count(*) FILTER (restriction = 'partial') AS hosts_partial,
            coalesce(sum(weight) FILTER (restriction = 'full'), 0) AS blocked,
            coalesce(sum(weight) FILTER (restriction = 'partial'), 0) AS partly
        FROM weighed
        LEFT JOIN everybody USING (policy_id)
        GROUP BY ALL
    ),
    strata AS (
        SELECT
            stratum,
            sum(hosts)::BIGINT AS n,
            count(*) AS m,
            sum(weight) AS w,
            sum(weight * weight) AS ww,
            sum(hosts_full) AS hosts_full,
            sum(hosts_partial) AS hosts_partial,
            sum(blocked) AS blocked,
            sum(blocked * blocked) AS blocked_yy,
            sum(blocked * weight) AS blocked_yw,
            sum(hosts_full / hosts) AS full_of_domains,
            sum(partly) AS partly
        FROM domains
        GROUP BY stratum
    ),
    counted AS MATERIALIZED (
        SELECT
            stratum,
            domain,
            product_token,
            count(*) FILTER (source = 'own' AND has_rules) AS hosts_named,
            count(*) FILTER (source = 'own' AND restriction = 'full') AS hosts_full_by_name,
            count(*) FILTER (source = 'own' AND restriction = 'partial') AS hosts_partial_by_name,
            count(*) FILTER (restriction = 'full') - count(*) FILTER (else_restriction = 'full') AS more_full,
            count(*) FILTER (restriction = 'partial') - count(*) FILTER (else_restriction = 'partial') AS more_partial,
            coalesce(sum(weight) FILTER (source = 'own' AND has_rules), 0) AS named,
            coalesce(sum(weight) FILTER (source = 'own' AND restriction = 'full'), 0) AS by_name,
            coalesce(sum(weight) FILTER (source = 'own' AND restriction = 'partial'), 0) AS partly_by_name,
            coalesce(sum(weight) FILTER (restriction = 'full'), 0)
                - coalesce(sum(weight) FILTER (else_restriction = 'full'), 0) AS more_blocked,
            coalesce(sum(weight) FILTER (restriction = 'partial'), 0)
                - coalesce(sum(weight) FILTER (else_restriction = 'partial'), 0) AS more_partly
        FROM weighed
        JOIN named_agents_of(tokens) AS named USING (policy_id)
        GROUP BY ALL
    ),
    -- Domains by how many of their hosts the group for * blocks; a token has the first of them that has
    -- no group for it.
    leaders AS MATERIALIZED (
        SELECT
            stratum,
            domain,
            hosts_full,
            row_number() OVER (PARTITION BY stratum ORDER BY hosts_full DESC, domain DESC) AS place
        FROM domains
        WHERE hosts_full > 0
    ),
    joined AS MATERIALIZED (
        SELECT
            counted.*,
            obeys_wildcard::INTEGER AS obeys,
            domains.hosts,
            domains.weight,
            domains.blocked,
            domains.hosts_full * obeys + more_full AS hosts_full
        FROM counted
        JOIN asked USING (product_token)
        JOIN domains ON domains.stratum IS NOT DISTINCT FROM counted.stratum AND domains.domain = counted.domain
    ),
    gaps AS (
        SELECT stratum, product_token, coalesce(min(number) FILTER (place > number), count(*) + 1) AS place
        FROM (
            SELECT
                joined.stratum,
                product_token,
                place,
                row_number() OVER (PARTITION BY joined.stratum, product_token ORDER BY place) AS number
            FROM joined
            JOIN leaders ON leaders.stratum IS NOT DISTINCT FROM joined.stratum AND leaders.domain = joined.domain
        )
        GROUP BY ALL
    ),
    candidates AS (
        SELECT stratum, product_token, domain, hosts_full FROM joined WHERE hosts_full > 0
        UNION ALL
        SELECT strata.stratum, asked.product_token, leaders.domain, leaders.hosts_full
        FROM strata
        CROSS JOIN asked
        LEFT JOIN gaps ON gaps.stratum IS NOT DISTINCT FROM strata.stratum AND gaps.product_token = asked.product_token
        JOIN leaders ON leaders.stratum IS NOT DISTINCT FROM strata.stratum AND leaders.place = coalesce(gaps.place, 1)
        WHERE obeys_wildcard
    ),
    tops AS (
        SELECT
            stratum,
            product_token,
            arg_max(domain, (hosts_full, domain)) AS top_domain,
            max(hosts_full) AS hosts_of_top_domain
        FROM candidates
        GROUP BY ALL
    ),
    summed AS (
        SELECT
            stratum,
            product_token,
            sum(hosts_named) AS hosts_named,
            sum(hosts_full_by_name) AS hosts_full_by_name,
            sum(hosts_partial_by_name) AS hosts_partial_by_name,
            sum(more_full) AS more_full,
            sum(more_partial) AS more_partial,
            sum(named) AS named, sum(named * named) AS named_yy, sum(named * weight) AS named_yw,
            sum(by_name) AS by_name, sum(by_name * by_name) AS by_name_yy, sum(by_name * weight) AS by_name_yw,
            sum(more_blocked) AS more_blocked,
            sum(more_blocked * (2 * blocked * obeys + more_blocked)) AS more_blocked_yy,
            sum(more_blocked * weight) AS more_blocked_yw,
            sum(more_full / hosts) AS more_full_of_domains,
            sum(more_partly) AS more_partly,
            sum(partly_by_name) AS partly_by_name
        FROM joined
        GROUP BY ALL
    ),
    totals AS (
        SELECT
            strata.stratum,
            asked.product_token,
            n,
            m,
            w,
            ww,
            hosts_named,
            hosts_full_by_name,
            hosts_partial_by_name,
            hosts_full * obeys_wildcard::INTEGER + coalesce(more_full, 0) AS hosts_full,
            hosts_partial * obeys_wildcard::INTEGER + coalesce(more_partial, 0) AS hosts_partial,
            named,
            named_yy,
            named_yw,
            by_name,
            by_name_yy,
            by_name_yw,
            partly_by_name,
            blocked * obeys_wildcard::INTEGER + coalesce(more_blocked, 0) AS blocked,
            blocked_yy * obeys_wildcard::INTEGER + coalesce(more_blocked_yy, 0) AS blocked_yy,
            blocked_yw * obeys_wildcard::INTEGER + coalesce(more_blocked_yw, 0) AS blocked_yw,
            full_of_domains * obeys_wildcard::INTEGER + coalesce(more_full_of_domains, 0) AS full_of_domains,
            partly * obeys_wildcard::INTEGER + coalesce(more_partly, 0) AS partly,
            top_domain,
            hosts_of_top_domain
        FROM strata
        CROSS JOIN asked
        LEFT JOIN summed
            ON summed.stratum IS NOT DISTINCT FROM strata.stratum AND summed.product_token = asked.product_token
        LEFT JOIN tops
            ON tops.stratum IS NOT DISTINCT FROM strata.stratum AND tops.product_token = asked.product_token
    )
    SELECT
        stratum,
        product_token,
        n,
        m AS n_domains,
        coalesce(hosts_named, 0)::BIGINT AS hosts_named,
        hosts_full::BIGINT AS hosts_full,
        coalesce(hosts_full_by_name, 0)::BIGINT AS hosts_full_by_name,
        hosts_partial::BIGINT AS hosts_partial,
        coalesce(hosts_partial_by_name, 0)::BIGINT AS hosts_partial_by_name,
        pct(coalesce(named, 0), w) AS pct_named,
        pct_low(named, named_yy, named_yw, w, ww, m) AS pct_named_low,
        pct_high(named, named_yy, named_yw, w, ww, m) AS pct_named_high,
        pct(blocked, w) AS pct_full,
        -- Sums of differences end near 0, not at it.
        if(hosts_full IN (0, n), NULL, pct_low(blocked, blocked_yy, blocked_yw, w, ww, m)) AS pct_full_low,
        if(hosts_full IN (0, n), NULL, pct_high(blocked, blocked_yy, blocked_yw, w, ww, m)) AS pct_full_high,
        pct(coalesce(by_name, 0), w) AS pct_full_by_name,
        pct_low(by_name, by_name_yy, by_name_yw, w, ww, m) AS pct_full_by_name_low,
        pct_high(by_name, by_name_yy, by_name_yw, w, ww, m) AS pct_full_by_name_high,
        pct(partly, w) AS pct_partial,
        pct(coalesce(partly_by_name, 0), w) AS pct_partial_by_name,
        pct(greatest(0, w - blocked - partly), w) AS pct_none,
        pct(hosts_full, n) AS pct_full_of_hosts,
        pct(full_of_domains, m) AS pct_full_of_domains,
        top_domain,
        pct(hosts_of_top_domain, hosts_full) AS pct_of_top_domain
    FROM totals;

-- Says where a share by host and one by domain differ by a factor of 1.5 or more, and which domain is
-- behind it; null elsewhere.
CREATE OR REPLACE MACRO share_note(of_hosts, of_domains, top_domain, pct_of_top_domain) AS
    CASE
        WHEN greatest(of_hosts, of_domains) >= 1.5 * least(of_hosts, of_domains) AND of_hosts <> of_domains THEN
            of_hosts || '% of hosts, ' || of_domains || '% of domains; ' || top_domain || ' has '
            || pct_of_top_domain || '% of the hosts that count'
    END;

-- Percentage points to two decimals, never -0.
CREATE OR REPLACE MACRO pct_of(points) AS round(points, 2) + 0.0;

-- The crawl that another is compared with: the one before it, by label, where none is named.
CREATE OR REPLACE MACRO crawl_before(label, before) AS
    CASE
        WHEN before IS NOT NULL THEN known_crawl(before)
        WHEN list_position(crawl_labels(), known_crawl(label)) > 1 THEN
            crawl_labels()[list_position(crawl_labels(), known_crawl(label)) - 1]
        ELSE known_crawl(label)
    END;

-- Strata of ranks, in order: "top N", cumulative, "A to B", disjoint, "unranked" and "all".
CREATE OR REPLACE MACRO rank_strata(tops) AS TABLE
    WITH ends AS (
        SELECT number, tops[number] AS last, if(number = 1, 1, tops[number - 1] + 1) AS first
        FROM (SELECT unnest(range(1, len(tops) + 1)) AS number)
    )
    SELECT 'top ' || last AS stratum, 1 AS first, last, number AS position FROM ends
    UNION ALL
    SELECT first || ' to ' || last, first, last, 1000 + number FROM ends WHERE number > 1
    UNION ALL
    SELECT 'unranked', NULL, NULL, 2000
    UNION ALL
    SELECT 'all', NULL, NULL, 3000;

-- The hosts of a statement with the strata that they are in; without ranks, all.
CREATE OR REPLACE MACRO hosts_in_strata(statement, path, tops) AS TABLE
    SELECT strata.stratum, hosts.*
    FROM query('FROM ' || statement) AS hosts
    LEFT JOIN host_ranks_of(path) AS ranked USING (url_host_name)
    JOIN rank_strata(tops) AS strata
        ON strata.stratum = 'all'
        OR rank BETWEEN strata.first AND strata.last
        OR (strata.stratum = 'unranked' AND rank IS NULL AND path IS NOT NULL);
CREATE OR REPLACE MACRO ranked_hosts(statement, path, tops) AS TABLE
    FROM query(CASE
        WHEN path IS NULL THEN 'SELECT ''all'' AS stratum, hosts.* FROM ' || statement || ' AS hosts'
        ELSE 'FROM hosts_in_strata(' || sql_text(statement) || ', ' || sql_text(path) || ', ' || tops::VARCHAR || ')'
    END);

-- The hosts of a population in one crawl, each with its weight: what queries count. host_files_by has the
-- counts of their files too, which takes a join.
CREATE OR REPLACE MACRO hosts_by(population, label, unit, weights) AS TABLE
    FROM query('FROM ' || hosts_sql(population, label, unit, weights));
CREATE OR REPLACE MACRO host_files_by(population, label, unit, weights) AS TABLE
    FROM query('FROM ' || host_files_sql(population, label, unit, weights));

-- What the Data Provenance Initiative looks for in the disallow rules of a policy, whoever they are for.
CREATE OR REPLACE VIEW path_marks AS
    SELECT
        policy_id,
        bool_or(has_query AND starts_with(path, '/')) AS has_pattern,
        bool_or(regexp_matches(path, '^/(admin|private|confidential)')) AS has_important
    FROM rules
    WHERE rule_type = 'disallow'
        AND (has_query OR starts_with(path, '/admin') OR starts_with(path, '/private') OR starts_with(path, '/confidential'))
    GROUP BY policy_id;

-- What a path has in common with every pattern that may match it: its beginnings of these lengths. A
-- pattern has as key the longest of them that stands before its first wildcard or end anchor. Joining on
-- them spares DuckDB from comparing every path with every pattern; rule_matches has the last word.
CREATE OR REPLACE MACRO path_keys(path) AS
    ['', left(path, 1)] || if(length(path) >= 4, [left(path, 4)], []) || if(length(path) >= 9, [left(path, 9)], []);
CREATE OR REPLACE MACRO pattern_key(pattern) AS
    left(pattern, CASE
        WHEN regexp_matches(pattern, '^[^*$]{9}') THEN 9
        WHEN regexp_matches(pattern, '^[^*$]{4}') THEN 4
        WHEN regexp_matches(pattern, '^[^*$]') THEN 1
        ELSE 0
    END);

-- The pattern of a rule for LIKE with the escape sign \, where it has a wildcard or an end anchor; else
-- null, and every path that begins with it matches.
CREATE OR REPLACE MACRO like_of(pattern) AS
    CASE
        WHEN contains(pattern, '*') OR ends_with(pattern, '$') THEN replace(
            replace(
                replace(
                    replace(if(ends_with(pattern, '$'), pattern[:-2], pattern || '*'), '\', '\\'),
                    '%', '\%'
                ),
                '_', '\_'
            ),
            '*', '%'
        )
    END;

-- Whether the pattern of a rule matches a path (RFC 9309, 2.2.2 and 2.2.3), both normalised. Whoever
-- compares many has like_of(pattern) worked out before.
CREATE OR REPLACE MACRO pattern_matches(path, pattern, like_pattern) AS
    CASE
        WHEN like_pattern IS NULL THEN pattern <> '' AND starts_with(path, pattern)
        ELSE like_escape(path, like_pattern, '\')
    END;
CREATE OR REPLACE MACRO rule_matches(path, pattern) AS pattern_matches(path, pattern, like_of(pattern));

-- Agents of files to which the script of some published study does not give all rules that RFC 9309
-- gives them (see the table grouping_errors); of all other agents the scripts read what RFC 9309 says.
--   n_rules                           rules by RFC 9309
--   n_rules_cc, n_rules_dpi, n_rules_ha    rules that Common Crawl, the Data Provenance Initiative
--                                     and HTTP Archive give the agent
--   restriction_cc_script             Common Crawl's class of what it reads; null where it reads
--                                     nothing: the agent does not count as addressed
--   restriction_dpi_script            the Data Provenance Initiative's; none where it reads nothing
CREATE OR REPLACE VIEW agent_grouping_errors AS
    WITH lines AS (
        SELECT
            file_id,
            affected.policy_id,
            group_index,
            unnest(product_tokens) AS product_token,
            -- Counted from the last user-agent line of the group.
            unnest(range(len(product_tokens), 0, -1)) AS position,
            n_kept_cc,
            n_kept_dpi,
            n_kept_ha
        FROM (SELECT file_id, policy_id FROM files SEMI JOIN grouping_errors USING (file_id)) AS affected
        JOIN groups ON groups.policy_id = affected.policy_id
        LEFT JOIN grouping_errors USING (file_id, group_index)
        WHERE n_allow + n_disallow > 0
    ),
    kept AS (
        SELECT
            file_id,
            policy_id,
            group_index,
            product_token,
            bool_or(position <= coalesce(n_kept_cc, position)) AS in_cc,
            bool_or(position <= coalesce(n_kept_dpi, position)) AS in_dpi,
            bool_or(position <= coalesce(n_kept_ha, position)) AS in_ha
        FROM lines
        WHERE product_token <> ''
        GROUP BY ALL
    ),
    differing AS (
        SELECT file_id, product_token FROM kept
        GROUP BY ALL HAVING NOT bool_and(in_cc AND in_dpi AND in_ha)
    ),
    counted AS (
        SELECT
            file_id,
            policy_id,
            product_token,
            count(*) AS n_rules,
            count(*) FILTER (in_cc) AS n_rules_cc,
            count(*) FILTER (in_dpi) AS n_rules_dpi,
            count(*) FILTER (in_ha) AS n_rules_ha,
            any_value(rule_type || ' ' || coalesce(path_raw, path)) FILTER (in_cc) AS a_rule_cc,
            coalesce(list(coalesce(path_raw, path) ORDER BY rule_index)
                FILTER (in_dpi AND rule_type = 'disallow' AND NOT has_query), []) AS disallowed_dpi,
            coalesce(list(coalesce(path_raw, path) ORDER BY rule_index)
                FILTER (in_dpi AND rule_type = 'allow' AND NOT has_query), []) AS allowed_dpi
        FROM kept
        SEMI JOIN differing USING (file_id, product_token)
        JOIN rules USING (policy_id, group_index)
        GROUP BY ALL
    )
    SELECT
        file_id,
        policy_id,
        product_token,
        n_rules,
        n_rules_cc,
        n_rules_dpi,
        n_rules_ha,
        CASE
            WHEN n_rules_cc = 0 THEN NULL
            WHEN n_rules_cc > 1 THEN 'allow_part'
            WHEN a_rule_cc = 'disallow /' THEN 'disallow_all'
            WHEN a_rule_cc IN ('allow /', 'allow *', 'allow /*', 'allow ', 'disallow ') THEN 'allow_all'
            ELSE 'allow_part'
        END AS restriction_cc_script,
        CASE
            WHEN disallowed_dpi IN ([], [''], allowed_dpi) THEN 'none'
            WHEN list_contains(disallowed_dpi, '/') AND allowed_dpi = [] THEN 'all'
            ELSE 'some'
        END AS restriction_dpi_script
    FROM counted;
