-- A text as an SQL literal.
CREATE OR REPLACE MACRO sql_text(value) AS chr(39) || replace(value, chr(39), chr(39) || chr(39)) || chr(39);

CREATE OR REPLACE MACRO is_parquet(path) AS lower(path) LIKE '%.parquet';

-- A statement that reads the list at path: the numbers and cells of its lines. In Parquet, line 0 has the names of the
-- columns.
CREATE OR REPLACE MACRO lines_sql(path) AS
    format(
        CASE
            WHEN path IS NULL THEN 'SELECT 0 AS line, []::VARCHAR[] AS cells LIMIT 0'
            WHEN is_parquet(path) THEN
                'SELECT 0 AS line, json_keys(to_json(list)) AS cells FROM (FROM read_parquet({0}) LIMIT 1) AS list'
                ' UNION ALL SELECT row_number() OVER (), list_value(*COLUMNS(*))'
                ' FROM (SELECT COLUMNS(*)::VARCHAR FROM read_parquet({0}))'
            ELSE
                'SELECT row_number() OVER () AS line, list_value(*COLUMNS(*)) AS cells'
                ' FROM read_csv({0}, header = false, all_varchar = true)'
        END,
        coalesce(sql_text(path), '')
    );

-- The path of a list that a query needs.
CREATE OR REPLACE MACRO needed_list(path, parameter, value) AS
    coalesce(path, error(parameter || ' is needed: the path of a CSV or Parquet file of domain and ' || value));

-- A name in a list, in lower case; the host, if it is an origin or a URL. Numbers are not names.
CREATE OR REPLACE MACRO listed_name(cell) AS
    rtrim(lower(trim(if(
        contains(cell, ':') OR contains(cell, '/'),
        regexp_replace(cell, '^\s*[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?|[:/?#].*$', '', 'g'),
        cell
    ))), '.');
CREATE OR REPLACE MACRO is_name(cell) AS
    try_cast(cell AS DOUBLE) IS NULL AND regexp_full_match(listed_name(cell), '[^\s.,;@]+(\.[^\s.,;@]+)+');

-- The name of a host without a leading www.; www.com keeps it.
CREATE OR REPLACE MACRO bare_name(name) AS if(name LIKE 'www.%.%', name[5:], name);

-- The name of a host without its leading www., or with it added.
CREATE OR REPLACE MACRO other_www(name) AS if(starts_with(name, 'www.'), name[5:], 'www.' || name);

-- The rows of the user's list at path: a name, a value and the number of the line. Most cells of the name's column are
-- names. The value's column is the column that the first line names by the best of value_heads, else the first other
-- column: a column of numbers if is_number is true, and not of ranks unless value_heads has ranks (without names of
-- columns, numbers before the names are ranks). If is_number is null, only a column named in value_heads has values;
-- otherwise they are null.
CREATE OR REPLACE MACRO listed(path, value_heads, is_number) AS TABLE
    WITH lines AS MATERIALIZED (FROM query(lines_sql(path))),
    first AS (
        SELECT cells, list_transform(cells, lambda cell: regexp_replace(lower(cell), '[^a-z]', '', 'g')) AS heads
        FROM (FROM lines ORDER BY line LIMIT 1)
    ),
    cells AS (
        SELECT lines.cells, unnest(range(1, len(lines.cells) + 1)) AS place, heads[place] AS head
        FROM lines CROSS JOIN first
        WHERE line BETWEEN 2 AND 1001 OR line = 1 AND (SELECT max(line) FROM lines) = 1
    ),
    places AS (
        SELECT
            place,
            avg(coalesce(is_name(cells[place]), false)::INTEGER) > 0.5 AS is_names,
            avg((try_cast(cells[place] AS DOUBLE) IS NOT NULL)::INTEGER) > 0.5 AS is_numbers,
            list_position(['domain', 'host', 'hostname', 'site', 'origin', 'website', 'url', 'name'], head) AS name_at,
            list_position(value_heads, head) AS value_head, head IN ('rank', 'globalrank', 'position') AS is_rank
        FROM cells
        GROUP BY place, head
    ),
    names AS (SELECT place FROM places WHERE is_names ORDER BY name_at NULLS LAST, place LIMIT 1),
    chosen AS (
        SELECT
            coalesce((FROM names), error(path || ': no column has names of domains, such as example.com')) AS name_at,
            coalesce(
                (
                    SELECT place FROM places
                    WHERE place <> (FROM names) AND (value_head IS NOT NULL OR is_rank IS NOT TRUE)
                        AND (value_head IS NOT NULL OR is_number AND is_numbers OR NOT is_number)
                        AND NOT (
                            (SELECT is_name(cells[(FROM names)]) FROM first) AND is_numbers AND place < (FROM names)
                            AND NOT list_contains(value_heads, 'rank')
                        )
                    ORDER BY value_head NULLS LAST, place
                    LIMIT 1
                ),
                if(is_number IS NULL, NULL, error(path || ': no column has the ' || value_heads[1] || ' of a domain'))
            ) AS value_at
    )
    SELECT
        encoded_name(listed_name(cells[name_at]), labels) AS domain,
        if(
            is_number AND try_cast(cells[value_at] AS DOUBLE) IS NULL,
            error(format(
                '{}:{}: the {} of {} is not a number: {}',
                path, line, value_heads[1], cells[name_at], coalesce(cells[value_at], 'nothing')
            )),
            cells[value_at]
        ) AS value,
        line
    FROM lines CROSS JOIN chosen CROSS JOIN encoded_labels
    -- The first line of a CSV file may have names of columns.
    WHERE line > 1
        OR line = 1 AND (
            is_parquet(path)
            OR is_name(cells[name_at]) AND (is_number IS NOT TRUE OR try_cast(cells[value_at] AS DOUBLE) IS NOT NULL)
        );
