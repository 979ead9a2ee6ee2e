-- The sites of a panel: of each stratum of a list of ranks, at most per_stratum, drawn at random. The draw depends
-- on the seed and the names alone, so that a larger draw has the sites of a smaller draw. Variables: ranks (a path),
-- borders (the last rank of each stratum but the last), per_stratum, seed.
CREATE VIEW encoded_labels AS SELECT MAP {} AS labels;
CREATE MACRO encoded_name(name, labels) AS nfc_normalize(name);
CREATE TABLE drawn_sites AS
    WITH ranked AS (
        SELECT
            bare_name(domain) AS domain,
            min(value::DOUBLE::BIGINT) AS rank
        FROM listed(getvariable('ranks'), ['rank', 'globalrank', 'position'], true)
        GROUP BY ALL
    ),
    drawn AS (
        SELECT
            *,
            len(list_filter(getvariable('borders'), lambda border: border < rank)) AS place,
            row_number() OVER (
                PARTITION BY place ORDER BY md5(getvariable('seed') || ' ' || domain), domain
            ) AS draw,
            count(*) OVER (PARTITION BY place) AS n
        FROM ranked
    )
    SELECT
        domain,
        rank,
        coalesce(list_extract(getvariable('borders'), place) + 1, 1)
            || '-' || coalesce(list_extract(getvariable('borders'), place + 1)::VARCHAR, '') AS stratum,
        n
    FROM drawn
    WHERE draw <= getvariable('per_stratum');
CREATE VIEW sites AS
    SELECT domain, rank, stratum, round(n / least(n, getvariable('per_stratum')), 6) AS weight
    FROM drawn_sites
    ORDER BY rank, domain;
-- The strata that have sites, as one line of JSON.
CREATE VIEW strata AS
    SELECT to_json(coalesce(list({'stratum': stratum, 'sites': sites, 'listed': n} ORDER BY first), []))
    FROM (SELECT stratum, n, count(*) AS sites, min(rank) AS first FROM drawn_sites GROUP BY ALL);
