-- A statement for the lines of the user's list at path: their numbers and cells. The names of the columns
-- of a Parquet file are line 0.
CREATE OR REPLACE MACRO lines_sql(path) AS
    format(
        if(
            lower(path) LIKE '%.parquet',
            'SELECT 0 AS line, json_keys(to_json(list)) AS cells FROM (FROM read_parquet({0}) LIMIT 1) AS list'
            ' UNION ALL SELECT row_number() OVER (), list_value(*COLUMNS(*))'
            ' FROM (SELECT COLUMNS(*)::VARCHAR FROM read_parquet({0}))',
            'SELECT row_number() OVER () AS line, list_value(*COLUMNS(*)) AS cells'
            ' FROM read_csv({0}, header = false, all_varchar = true)'
        ),
        sql_text(path)
    );

-- The path of a list that a query cannot do without.
CREATE OR REPLACE MACRO needed_list(path, parameter, value) AS
    coalesce(path, error(parameter || ' is needed: the path of a CSV or Parquet file of domain and ' || value));

-- A name in a list, in lower case: of an origin or a URL, the host. Numbers are not names.
CREATE OR REPLACE MACRO listed_name(cell) AS
    rtrim(lower(trim(if(
        contains(cell, ':') OR contains(cell, '/'),
        regexp_replace(cell, '^\s*[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?|[:/?#].*$', '', 'g'),
        cell
    ))), '.');
CREATE OR REPLACE MACRO is_name(cell) AS
    try_cast(cell AS DOUBLE) IS NULL AND regexp_full_match(listed_name(cell), '[^\s.,;@]+(\.[^\s.,;@]+)+');

-- The rows of the user's list at path: a name and a value. A first line with names of columns shows which
-- columns these are: value_heads, the best first. Without one, most cells of the first column are names,
-- and the value is in the first other column; is_number says that it is a number.
CREATE OR REPLACE MACRO listed(path, value_heads, is_number) AS TABLE
    WITH lines AS MATERIALIZED (
        FROM query(lines_sql(path))
    ),
    first AS (
        SELECT line, list_transform(cells, lambda cell: regexp_replace(lower(cell), '[^a-z]', '', 'g')) AS heads
        FROM lines
        ORDER BY line
        LIMIT 1
    ),
    cells AS (
        SELECT cells, unnest(range(1, len(cells) + 1)) AS place
        FROM lines
        WHERE line BETWEEN 2 AND 1001 OR (SELECT max(line) FROM lines) = 1
    ),
    places AS (
        SELECT
            place,
            avg(coalesce(is_name(cells[place]), false)::INTEGER) > 0.5 AS is_names,
            avg((try_cast(cells[place] AS DOUBLE) IS NOT NULL)::INTEGER) > 0.5 AS is_numbers,
            list_position(['domain', 'host', 'hostname', 'site', 'origin', 'website', 'url', 'name'], (SELECT heads[place] FROM first)) AS name_head,
            list_position(value_heads, (SELECT heads[place] FROM first)) AS value_head
        FROM cells
        GROUP BY place
    ),
    names AS (
        SELECT place FROM places WHERE is_names ORDER BY name_head NULLS LAST, place LIMIT 1
    ),
    chosen AS (
        SELECT
            coalesce((FROM names), error(path || ': no column has names of domains')) AS name_at,
            coalesce(
                (
                    SELECT place FROM places
                    WHERE place <> (FROM names) AND (is_numbers OR NOT is_number)
                    ORDER BY value_head NULLS LAST, place
                    LIMIT 1
                ),
                error(path || ': no column has the ' || value_heads[1] || ' of a domain')
            ) AS value_at
    )
    SELECT encoded_name(listed_name(cells[name_at]), labels) AS domain, cells[value_at] AS value
    FROM lines CROSS JOIN chosen CROSS JOIN encoded_labels
    -- The first line may have names of columns.
    WHERE line > 1
        OR line = 1 AND is_name(cells[name_at]) AND (NOT is_number OR try_cast(cells[value_at] AS DOUBLE) IS NOT NULL);

-- How many names a list has, and how many of them are hosts of the dataset, with or without www., or their
-- registrable domains.
CREATE OR REPLACE MACRO matched_names(names) AS (
    WITH known AS (
        SELECT DISTINCT unnest([name, 'www.' || name, domain]) AS name
        FROM (SELECT regexp_replace(url_host_name, '^www\.', '') AS name, url_host_registered_domain AS domain FROM hosts)
    )
    SELECT {n: count(DISTINCT asked.name), matched: count(DISTINCT known.name)}
    FROM (SELECT unnest(names) AS name) AS asked LEFT JOIN known USING (name)
);
CREATE OR REPLACE MACRO list_note(path) AS TABLE
    SELECT format('{}: matched {:,} of {:,} domains', path, found.matched, found.n) AS note
    FROM (SELECT matched_names(list(domain)) AS found FROM listed(path, ['value'], false));

-- The same rows, of a list that has at least one name of the dataset.
CREATE OR REPLACE MACRO matched_list(path, parameter, value_heads, is_number) AS TABLE
    WITH list AS MATERIALIZED (
        FROM listed(
            needed_list(path, parameter, value_heads[1]),
            value_heads,
            is_number
        )
    )
    FROM list
    WHERE CASE
        WHEN (SELECT matched_names(list(domain)).matched FROM list) > 0 OR (SELECT count(*) FROM hosts) = 0 THEN true
        ELSE error(path || ': matched none of ' || (SELECT count(DISTINCT domain) FROM list) || ' domains: none is a host of the dataset')
    END
    UNION ALL
    -- A list without a line has no row to fail on.
    SELECT path, error(path || ': the list is empty') FROM (SELECT count(*) AS n FROM list) WHERE n = 0;

-- The number in a list.
CREATE OR REPLACE MACRO listed_number(value, path) AS
    coalesce(try_cast(value AS DOUBLE), error(path || ': not a number: ' || coalesce(value, 'nothing')));

-- Ranks of domains or hosts, from a list of the user's, as Tranco, Umbrella, Majestic and CrUX publish them.
CREATE OR REPLACE MACRO ranks_of(path) AS TABLE
    SELECT listed_number(value, path)::BIGINT AS rank, domain
    FROM matched_list(path, 'ranks', ['rank', 'globalrank', 'position'], true);

-- The ranks of hosts: the rank of the name, with or without a leading www., else, if the list ranks
-- registrable domains, the rank of the domain. A list ranks domains if hardly any of its names that
-- the dataset has is a host below a domain.
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

-- Labels of domains (a sector, a language, whether they are reputable), from a list of the user's.
CREATE OR REPLACE MACRO labels_of(path) AS TABLE
    SELECT domain, value AS label
    FROM matched_list(path, 'labels', ['label', 'category', 'sector'], false);

-- The labels of a host: of its name, with or without a leading www., and of its registrable domain.
-- A host can have several.
CREATE OR REPLACE MACRO host_labels_of(path) AS TABLE
    SELECT DISTINCT url_host_name, label
    FROM (
        SELECT DISTINCT
            url_host_name,
            unnest([url_host_name, regexp_replace(url_host_name, '^www\.', ''), url_host_registered_domain]) AS domain
        FROM hosts
    )
    JOIN labels_of(path) USING (domain);

-- Weights of domains or hosts (visits, pages, tokens), from a list of the user's.
CREATE OR REPLACE MACRO weights_of(path) AS TABLE
    SELECT
        domain,
        max(if(try_cast(value AS DOUBLE) < 0, error(path || ': a weight below 0: ' || value), listed_number(value, path))) AS weight
    FROM matched_list(path, 'weights', ['weight', 'visits', 'pages'], true)
    GROUP BY ALL;

-- The lines of a text file, one URL each; without a file, the URLs of sitemaps that files name.
CREATE OR REPLACE MACRO urls_of(path) AS TABLE
    SELECT trim(unnest(string_split(text, chr(10))), chr(13)) AS url
    FROM (
        -- read_text finds no file, or several, without an error.
        SELECT if(count(*) = 1, any_value(content), error(format('there is no file {}, {} found', path, count(*)))) AS text
        FROM read_text(path)
    );
CREATE OR REPLACE VIEW announced_urls AS
    SELECT sitemap_url AS url FROM sitemaps WHERE is_absolute;

-- The host of a URL, in lower case; empty where it has none.
CREATE OR REPLACE MACRO host_of_url(url) AS
    lower(regexp_extract(url, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)', 1));
