-- How many rules of each policy have a feature of the path language (part); part `rule` is every rule.
CREATE OR REPLACE VIEW rule_features_of_policies AS
    UNPIVOT (
        SELECT
            policy_id,
            count(*) AS rule,
            count(*) FILTER (rule_type = 'allow') AS "allow rule",
            count(*) FILTER (has_wildcard) AS "wildcard *",
            count(*) FILTER (has_end_anchor) AS "end anchor $",
            count(*) FILTER (has_query) AS "query ?",
            count(*) FILTER (is_root) AS "matches everything",
            count(*) FILTER (is_empty) AS empty,
            count(*) FILTER (path_raw IS NOT NULL) AS "changed by normalisation",
            count(*) FILTER (NOT is_empty AND path[1] NOT IN ('/', '*')) AS "begins with neither / nor *",
            count(*) FILTER (path_length > 255) AS "over 255 bytes",
            count(*) FILTER (is_typo OR is_missing_colon) AS "tolerated spelling"
        FROM rules
        GROUP BY policy_id
    )
    ON COLUMNS(* EXCLUDE policy_id) INTO NAME part VALUE rules;

-- What the Data Provenance Initiative looks for in the disallow rules of a policy, whichever
-- crawler they are for.
CREATE OR REPLACE VIEW path_marks AS
    SELECT
        policy_id,
        bool_or(has_query AND starts_with(path, '/')) AS has_pattern,
        bool_or(is_important) AS has_important
    FROM (
        SELECT
            policy_id, path, has_query,
            starts_with(path, '/admin') OR starts_with(path, '/private') OR starts_with(path, '/confidential')
                AS is_important
        FROM rules
        WHERE rule_type = 'disallow'
    )
    WHERE has_query OR is_important
    GROUP BY policy_id;

-- The path and query of a URL, in the form that patterns are matched with (RFC 9309 §2.2.2): characters outside
-- US-ASCII are escaped, unreserved characters are not, and * and $ are escaped because a pattern gives them another
-- meaning. rules.path has the same form; only a $ that is not its end has to be escaped there too.
CREATE OR REPLACE MACRO path_piece(piece) AS
    CASE
        WHEN regexp_full_match(piece, '%[0-7][0-9A-Fa-f]') THEN url_encode(chr(('0x' || piece[2:3])::INTEGER))
        WHEN length(piece) = 3 THEN upper(piece)
        WHEN piece IN ('*', '$') OR ord(piece) > 127 THEN url_encode(piece)
        ELSE piece
    END;
CREATE OR REPLACE MACRO normal_path(path) AS
    CASE
        WHEN NOT regexp_matches(path, '[^ -#&-)+-~]') THEN path
        ELSE array_to_string(
            list_transform(regexp_extract_all(path, '(?s)%[0-9A-Fa-f]{2}|.'), lambda piece: path_piece(piece)), ''
        )
    END;
CREATE OR REPLACE MACRO path_of_url(url) AS normal_path(
    '/' || regexp_replace(regexp_replace(url, '^[^/?#]*//[^/?#]*|#.*$', '', 'g'), '^/', '')
);

-- How many wildcards a pattern has, without wildcards at its end, which change nothing.
CREATE OR REPLACE MACRO wildcards_of(pattern) AS
    length(rtrim(pattern, '*')) - length(replace(rtrim(pattern, '*'), '*', ''));

-- The pattern of a rule for LIKE, with the escape character \.
CREATE OR REPLACE MACRO like_of(pattern) AS
    if(ends_with(pattern, '$'), pattern[:-2], rtrim(pattern, '*') || '*')
        .replace('\', '\\').replace('%', '\%').replace('_', '\_').replace('*', '%');

-- The pattern of a rule as a regular expression.
CREATE OR REPLACE MACRO regexp_of(pattern) AS
    '^' || replace(regexp_escape(if(ends_with(pattern, '$'), pattern[:-2], pattern)), '\*', '.*')
    || if(ends_with(pattern, '$'), '$', '');

-- The first five characters of a pattern, with which a matching path begins too; empty if they are
-- not literal.
CREATE OR REPLACE MACRO beginning_of(pattern) AS regexp_extract(pattern, '^[^*$]{5}');

-- Whether the pattern of a rule matches a path (RFC 9309 §2.2.2 and §2.2.3), both normalised. LIKE
-- is faster than a regular expression, but tries every combination of positions of wildcards.
CREATE OR REPLACE MACRO pattern_matches(path, pattern) AS
    CASE
        WHEN NOT contains(pattern, '*') AND NOT ends_with(pattern, '$') THEN pattern <> '' AND starts_with(path, pattern)
        WHEN wildcards_of(pattern) > 2 OR strlen(path) > 400 THEN regexp_matches(path, regexp_of(pattern))
        ELSE like_escape(path, like_of(pattern), '\')
    END;

-- The URLs of a CTE (url, path as normal_path has it, policy_id or null) that robots.txt keeps each product token from.
CREATE OR REPLACE MACRO closed_urls(tokens, urls) AS TABLE
    WITH restricted AS MATERIALIZED (
        SELECT policy_id, product_token, matched_token
        FROM effective_agents_of(tokens)
        WHERE restriction <> 'none' AND policy_id IN (SELECT policy_id FROM query_table(urls))
    ),
    agent_rules AS (
        SELECT DISTINCT
            policy_id, matched_token,
            -- The longest rule decides, or allow if two are equally long (RFC 9309 §2.2.2): the
            -- rule with the highest precedence, which is even for a rule that disallows.
            2 * path_length + (rule_type = 'allow')::INTEGER AS precedence,
            if(contains(path[:-2], '$'), replace(path[:-2], '$', '%24') || path[-1], path) AS pattern,
            beginning_of(pattern) AS beginning
        FROM (SELECT policy_id, group_index, unnest(product_tokens) AS matched_token FROM groups)
        SEMI JOIN restricted USING (policy_id, matched_token)
        JOIN rules USING (policy_id, group_index)
        WHERE NOT is_empty
    ),
    closed AS (
        SELECT url, policy_id, matched_token
        FROM (SELECT *, unnest(['', left(path, 5)]) AS beginning FROM query_table(urls))
        JOIN agent_rules USING (policy_id, beginning)
        -- Every crawler may fetch robots.txt (§2.2.2).
        WHERE path <> '/robots.txt' AND pattern_matches(path, pattern)
        GROUP BY ALL
        HAVING max(precedence) % 2 = 0
    )
    SELECT DISTINCT url, product_token
    FROM closed JOIN restricted USING (policy_id, matched_token);
