-- The names in a list of ranks, the best rank first, each with its line and its key in the draw. The
-- key depends only on seed and name, so a larger draw has the sites of a smaller draw.
-- Variables: ranks (a path), seed.
CREATE VIEW encoded_labels AS SELECT MAP {} AS labels;
CREATE MACRO encoded_name(name, labels) AS nfc_normalize(name);
SELECT to_json({
    'line': line,
    'name': coalesce(domain, ''),
    'rank': value::DOUBLE::BIGINT,
    'draw': md5(getvariable('seed') || ' ' || bare_name(domain))
})
FROM listed(getvariable('ranks'), ['rank', 'globalrank', 'position'], true)
ORDER BY value::DOUBLE::BIGINT, domain;
