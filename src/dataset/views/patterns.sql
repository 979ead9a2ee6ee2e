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
