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
