-- The derived tables by SQL, independent of the program: `resolved`, `origins` and `hosts` as views
-- over `captures`, with other names. Read after views.sql.

-- Scheme, host and port as one text, default ports left out. A URL whose host cannot exist has no
-- parts; its origin is the text before the path.
CREATE OR REPLACE MACRO origin_of(protocol, host, port, url) AS
    coalesce(
        protocol || '://' || host || coalesce(':' || port, ''),
        regexp_extract(url, '^[^/?#]*//[^/?#]*')
    );

-- The lower, the sooner `origins` takes it; of equals one that brought a file.
CREATE OR REPLACE MACRO response_rank(status, file_id) AS
    2 * list_position(
        ['success', 'allow_all', 'forbidden', 'defer', 'redirect', 'not_modified'],
        response_class(status, file_id)
    ) + (file_id IS NULL)::INTEGER;

-- Every robots.txt capture with the response that its redirects end at (itself where it is none).
-- The rules found there apply to the authority that was asked first (RFC 9309 §2.3.1.2), which the
-- url_ columns name. A redirect leads to the latest capture of its target in the same crawl; five
-- hops are followed. How it ended:
--   final         at a response that redirects no further
--   no_location   at a 3xx that does not say where to
--   not_captured  at a redirect whose target the crawl does not have
--   loop          at a redirect to a capture that the chain has been at
--   too_many      at a sixth redirect
-- final_url, final_status, file_id and policy_id are those of the last capture of the chain.
CREATE OR REPLACE VIEW resolved_by_sql AS
    WITH RECURSIVE
    -- A 304 leads nowhere (RFC 9110 §15.4.5).
    captures_led AS (
        SELECT *, if(fetch_status = 304, NULL, fetch_redirect_url) AS next_url FROM captures
    ),
    targets AS MATERIALIZED (
        SELECT
            crawl,
            coalesce(
                origin_of(url_protocol, url_host_name, url_port, url) || url_path || coalesce('?' || url_query, ''),
                url
            ) AS target_url,
            input_id || ' ' || warc_record_offset || ' ' || warc_record_inner_offset AS position,
            url,
            fetch_status,
            next_url,
            file_id,
            policy_id
        FROM captures_led
        WHERE (crawl, target_url) IN (
            SELECT (crawl, next_url) FROM captures_led WHERE next_url IS NOT NULL
        )
        QUALIFY row_number() OVER (
            PARTITION BY crawl, target_url
            ORDER BY fetch_time DESC NULLS LAST, warc_filename, input_id, warc_record_offset, warc_record_inner_offset
        ) = 1
    ),
    chain AS (
        SELECT
            crawl,
            input_id,
            warc_record_offset,
            warc_record_inner_offset,
            0 AS n_redirects,
            [input_id || ' ' || warc_record_offset || ' ' || warc_record_inner_offset] AS positions,
            url AS final_url,
            fetch_status AS final_status,
            next_url,
            file_id,
            policy_id
        FROM captures_led
        WHERE is_robotstxt_url AND next_url IS NOT NULL
        UNION ALL
        SELECT
            chain.crawl,
            input_id,
            warc_record_offset,
            warc_record_inner_offset,
            n_redirects + 1,
            list_append(positions, position),
            targets.url,
            targets.fetch_status,
            targets.next_url,
            targets.file_id,
            targets.policy_id
        FROM chain
        JOIN targets ON targets.crawl = chain.crawl AND targets.target_url = chain.next_url
        WHERE n_redirects < 5 AND NOT list_contains(positions, position)
    ),
    chain_end AS (
        SELECT
            chain.* EXCLUDE (crawl, positions, next_url),
            CASE
                WHEN chain.next_url IS NULL AND response_class(final_status, chain.file_id) = 'redirect' THEN 'no_location'
                WHEN chain.next_url IS NULL THEN 'final'
                WHEN list_contains(positions, position) THEN 'loop'
                WHEN n_redirects = 5 THEN 'too_many'
                ELSE 'not_captured'
            END AS ended
        FROM chain
        LEFT JOIN targets ON targets.crawl = chain.crawl AND targets.target_url = chain.next_url
        QUALIFY row_number() OVER (
            PARTITION BY input_id, warc_record_offset, warc_record_inner_offset
            ORDER BY n_redirects DESC
        ) = 1
    )
    SELECT
        captures.crawl,
        captures.input_id,
        captures.warc_filename,
        captures.warc_record_offset,
        captures.warc_record_inner_offset,
        captures.url,
        origin_of(url_protocol, url_host_name, url_port, captures.url) AS origin,
        url_protocol,
        url_host_name,
        url_host_tld,
        url_host_registered_domain,
        coalesce(url_port, CASE url_protocol WHEN 'https' THEN 443 WHEN 'http' THEN 80 WHEN 'ftp' THEN 21 END) AS url_port,
        fetch_time,
        fetch_status,
        fetch_redirect_url,
        coalesce(n_redirects, 0) AS n_redirects,
        coalesce(
            ended,
            if(response_class(fetch_status, captures.file_id) = 'redirect', 'no_location', 'final')
        ) AS ended,
        coalesce(final_url, captures.url) AS final_url,
        if(n_redirects IS NULL, fetch_status, final_status) AS final_status,
        if(n_redirects IS NULL, captures.file_id, chain_end.file_id) AS file_id,
        if(n_redirects IS NULL, captures.policy_id, chain_end.policy_id) AS policy_id,
        row_number() OVER (
            PARTITION BY captures.crawl, origin
            ORDER BY (
                -epoch_us(fetch_time),
                captures.warc_filename,
                captures.input_id,
                captures.warc_record_offset,
                captures.warc_record_inner_offset
            )
        ) = 1 AS is_latest
    FROM captures
    LEFT JOIN chain_end USING (input_id, warc_record_offset, warc_record_inner_offset)
    WHERE is_robotstxt_url;

-- Every origin (scheme, host and effective port) in every crawl, with the response that counts:
-- the best class after redirects, in the order given at response_class, then the latest. A row of class redirect is one that could not be followed.
CREATE OR REPLACE VIEW origins_by_sql AS
    SELECT
        *,
        response_class(final_status, file_id) AS response_class,
        count(*) OVER (PARTITION BY crawl, origin) AS n_captures
    FROM resolved_by_sql
    QUALIFY row_number() OVER (
        PARTITION BY crawl, origin
        -- One value to order by: DuckDB keeps the first row of each and sorts none.
        ORDER BY (
            response_rank(final_status, file_id),
            -epoch_us(fetch_time),
            warc_filename,
            input_id,
            warc_record_offset,
            warc_record_inner_offset
        )
    ) = 1;

-- Every host in every crawl, with its origin that counts: the best response, https before others, a
-- default port before others. Whatever is said of "hosts" counts each once, by this row. A host
-- that cannot exist has no name and is left out.
CREATE OR REPLACE VIEW hosts_by_sql AS
    SELECT
        *,
        response_class(final_status, file_id) AS response_class,
        count(*) OVER (PARTITION BY crawl, origin) AS n_captures
    FROM resolved_by_sql
    WHERE url_host_name IS NOT NULL
    -- The best of its rows in origins, in one step.
    QUALIFY row_number() OVER (
        PARTITION BY crawl, url_host_name
        ORDER BY (
            response_rank(final_status, file_id),
            url_protocol <> 'https',
            url_port <> CASE url_protocol WHEN 'https' THEN 443 WHEN 'http' THEN 80 WHEN 'ftp' THEN 21 END,
            origin,
            -epoch_us(fetch_time),
            warc_filename,
            input_id,
            warc_record_offset,
            warc_record_inner_offset
        )
    ) = 1;

