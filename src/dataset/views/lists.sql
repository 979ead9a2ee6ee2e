-- Whether a name in a list is the name of a host in the dataset, with or without www., or its registrable domain.
CREATE OR REPLACE MACRO is_name_of_host(name) AS
    bare_name(name) IN (SELECT DISTINCT bare_name(url_host_name) FROM hosts)
    OR name IN (SELECT DISTINCT url_host_registered_domain FROM hosts);

-- How many names a list has, and how many of them match hosts of the dataset.
CREATE OR REPLACE MACRO list_note(path) AS TABLE
    SELECT format('{}: matched {:,} of {:,} domains', path, count(*) FILTER (is_matched), count(*)) AS note
    FROM (SELECT domain, is_name_of_host(domain) AS is_matched FROM listed(path, ['value'], NULL) GROUP BY domain);

-- The rows of `listed`, for a list that has at least one name that matches; other lists are an error.
CREATE OR REPLACE MACRO matched_list(path, value_heads, is_number) AS TABLE
    WITH list AS MATERIALIZED (FROM listed(path, value_heads, is_number)),
    matched AS (
        FROM list
        WHERE CASE
            WHEN EXISTS (FROM hosts WHERE bare_name(url_host_name) IN (SELECT bare_name(domain) FROM list))
                OR EXISTS (FROM hosts WHERE url_host_registered_domain IN (SELECT domain FROM list))
                OR NOT EXISTS (FROM hosts) THEN true
            ELSE error(format(
                '{}: matched none of {} domains: none is a host of the dataset',
                path, (SELECT count(DISTINCT domain) FROM list)
            ))
        END
        UNION ALL
        -- A list without a line has no row to fail on.
        SELECT path, error(path || ': the list is empty'), 0 FROM (SELECT count(*) AS n FROM list) WHERE n = 0
    )
    FROM query_table(if(path IS NULL, 'list', 'matched'));

-- Ranks of domains or hosts, from the user's list, as Tranco, Umbrella, Majestic and CrUX publish
-- them.
CREATE OR REPLACE MACRO ranks_of(path) AS TABLE
    SELECT
        if(
            value::DOUBLE BETWEEN 1 AND 1::BIGINT << 62,
            value::DOUBLE::BIGINT,
            error(concat(path, ':', line, ': the rank of ', domain, ' is ', value, ', not a number from 1 up'))
        ) AS rank,
        domain
    FROM matched_list(path, ['rank', 'globalrank', 'position'], true);

-- The ranks of hosts: the rank of the name, with or without a leading www., else, if the list ranks registrable
-- domains, the rank of the domain. A list ranks domains if at most 1% of the hosts that it ranks by name are below a
-- domain.
CREATE OR REPLACE MACRO host_ranks_of(path) AS TABLE
    WITH ranked AS (SELECT domain AS name, min(rank) AS rank FROM ranks_of(path) GROUP BY ALL),
    named AS (SELECT url_host_name, min(domain) AS registered FROM hosts GROUP BY url_host_name),
    own AS (
        SELECT url_host_name, registered, least(by_name.rank, by_other_name.rank) AS rank
        FROM named
        LEFT JOIN ranked AS by_name ON by_name.name = url_host_name
        LEFT JOIN ranked AS by_other_name ON by_other_name.name = other_www(url_host_name)
    )
    SELECT url_host_name, coalesce(own.rank, if(ranks_domains, ranked.rank, NULL)) AS rank
    FROM own
    CROSS JOIN (
        SELECT count(*) FILTER (bare_name(url_host_name) <> registered) <= 0.01 * count(*) AS ranks_domains
        FROM own
        WHERE rank IS NOT NULL
    )
    LEFT JOIN ranked ON ranked.name = registered;

-- The name of a group of hosts: a label `all` is quoted, because `all` is the group of all hosts.
CREATE OR REPLACE MACRO group_name(label) AS if(label = 'all', '"all"', label);

-- The labels of a host, such as a sector or a language, from the user's list, which may have the host's name, with or
-- without a leading www., or its registrable domain.
CREATE OR REPLACE MACRO host_labels_of(path) AS TABLE
    SELECT url_host_name, list(DISTINCT group_name(value)) AS labels_of_host
    FROM (
        SELECT url_host_name, unnest([url_host_name, other_www(url_host_name), url_host_registered_domain]) AS domain
        FROM hosts
    )
    JOIN matched_list(path, ['label', 'category', 'sector'], false) USING (domain)
    GROUP BY url_host_name;

-- Weights of domains or hosts (visits, pages, tokens), from the user's list.
CREATE OR REPLACE MACRO weights_of(path) AS TABLE
    SELECT
        domain,
        max(if(
            value::DOUBLE >= 0 AND isfinite(value::DOUBLE),
            value::DOUBLE,
            error(concat(path, ':', line, ': the weight of ', domain, ' is ', value, ', not a finite number from 0 up'))
        )) AS weight
    FROM matched_list(path, ['weight', 'visits', 'pages'], true)
    GROUP BY ALL;

-- The lines of a text file, one URL each; and the URLs of sitemaps that files of a crawl name, for use without a file.
CREATE OR REPLACE MACRO urls_of(path) AS TABLE
    -- A byte order mark may be in front of the first URL.
    SELECT trim(unnest(string_split(text, chr(10))), concat(' ', chr(9), chr(13), chr(65279))) AS url
    FROM (
        -- read_text does not fail if it finds no file, or several.
        SELECT if(count(*) = 1, min(content), error(format('there is no file {}, {} found', path, count(*)))) AS text
        FROM read_text(path)
    );
CREATE OR REPLACE MACRO announced_urls(label) AS TABLE
    SELECT sitemap_url AS url FROM sitemaps SEMI JOIN of_crawl('hosts', label) USING (file_id) WHERE is_absolute;

-- The host of a URL, in lower case and without a final dot; empty without a host.
CREATE OR REPLACE MACRO host_of_url(url) AS
    rtrim(lower(regexp_extract(url, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)', 1)), '.');

-- The domains of a list of ranks, counted by the best answer of their hosts in a crawl, in the classes of Common
-- Crawl's robots.txt experiments: a row for each stratum of rank_strata, and one for all hosts captured.
CREATE OR REPLACE MACRO ranked_status_classes(label, ranks, tops) AS TABLE
    WITH classed AS (
        SELECT url_host_name, CASE
            WHEN has_rules THEN 'with_rules'
            WHEN response_class <> 'success' THEN response_class
            WHEN has_lines OR content_class = 'empty' OR final_status = 204 THEN 'no_rules'
            ELSE 'not_robotstxt'
        END AS class
        FROM of_crawl('host_files', label)
    ),
    ranked AS (
        SELECT rank, class
        FROM ranks_of(needed_list(ranks, 'ranks', 'rank'))
        LEFT JOIN (SELECT unnest([url_host_name, other_www(url_host_name)]) AS domain, class FROM classed)
            USING (domain)
        QUALIFY row_number() OVER (PARTITION BY domain ORDER BY list_position(
            ['with_rules', 'no_rules', 'not_robotstxt', 'allow_all', 'forbidden', 'defer', 'redirect', 'not_modified'],
            class
        ) NULLS LAST, rank) = 1
    ),
    strata AS (
        FROM ranked JOIN rank_strata(tops) ON rank BETWEEN first AND last AND stratum <> 'all'
        UNION ALL BY NAME
        FROM classed CROSS JOIN rank_strata(tops) WHERE stratum = 'all'
    )
    SELECT
        stratum, position,
        count(*) FILTER (class IS NULL) AS not_captured, count(*) FILTER (class = 'forbidden') AS forbidden,
        count(*) FILTER (class = 'defer') AS "defer", count(*) FILTER (class = 'allow_all') AS allow_all,
        count(*) FILTER (class IN ('redirect', 'not_modified')) AS unresolved,
        count(*) FILTER (class = 'not_robotstxt') AS not_robotstxt,
        count(*) FILTER (class = 'no_rules') AS no_rules, count(*) FILTER (class = 'with_rules') AS with_rules,
        count(*) AS n
    FROM strata
    GROUP BY stratum, position;
