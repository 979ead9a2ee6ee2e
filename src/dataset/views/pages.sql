-- HTML pages with a success status, each URL once per crawl: a response is preferred to an extract (WAT), then the
-- latest. domain is the registrable domain, else the host. language is taken from the html tag, else from the
-- Content-Language header, as written. Counts of links are null without `ingest --links`.
CREATE OR REPLACE VIEW html_pages AS
    SELECT
        crawl, url, url_host_name, coalesce(url_host_registered_domain, url_host_name) AS domain,
        coalesce(url_path, '/') || coalesce('?' || url_query, '') AS path,
        page_policy_id, input_id, fetch_time, coalesce(html_lang, content_language) AS language,
        n_links, n_links_nofollow, n_links_ugc, n_links_sponsored, n_links_qualified,
        n_data_nosnippet, n_data_nosnippet_google
    FROM pages
    WHERE is_html AND fetch_status BETWEEN 200 AND 299 AND page_policy_id IS NOT NULL AND url_host_name IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY crawl, url
        ORDER BY
            source = 'warc' DESC, fetch_time DESC, warc_filename DESC, input_id DESC, warc_record_offset DESC,
            warc_record_inner_offset DESC
    ) = 1;

-- Whether a page that was fetched at a time may be indexed: not after its unavailable_after.
CREATE OR REPLACE MACRO is_indexable(may_index, unavailable_after, fetch_time) AS
    may_index AND NOT coalesce(unavailable_after <= fetch_time, false);

-- The pages of a CTE with the columns of html_pages, with their clusters and weights: each page has an equal part of
-- its host's weight (weighed).
CREATE OR REPLACE MACRO weighed_pages(pages_name, unit, weights) AS TABLE
    WITH hosts_counted AS (
        SELECT
            crawl, url_host_name, min(input_id) AS input_id, count(*) AS pages,
            any_value(domain) AS domain, (hash(any_value(domain)) >> 1)::BIGINT AS domain_number
        FROM query_table(pages_name)
        GROUP BY ALL
    )
    SELECT
        crawl_number(crawl) AS stratum, pages.*, hosts.cluster, hosts.weight / hosts.pages AS weight,
        'html_pages' AS population, unit AS unit
    FROM query_table(pages_name) AS pages
    JOIN weighed('hosts_counted', unit, weights) AS hosts USING (crawl, url_host_name);
CREATE OR REPLACE MACRO pages_by(label, unit, weights) AS TABLE
    WITH pages_counted AS (FROM of_crawl('html_pages', label))
    FROM weighed_pages('pages_counted', unit, weights);

-- Shares of pages: the columns of joined_shares, where pages is the number of pages that count, with the numbers of
-- their hosts and domains.
CREATE OR REPLACE MACRO page_shares(counted, population, parts := 'no_parts', sums := ['counts']) AS TABLE
    SELECT * RENAME (hosts AS pages, url_host_name AS hosts, domain AS domains)
    FROM joined_shares(counted, population, parts, sums, ['url_host_name', 'domain']);

-- What the policies of pages mean to a crawler by a dialect, by name or else for all.
CREATE OR REPLACE MACRO effective_page_agents(dialects, names) AS TABLE
    SELECT page_agents.* REPLACE (asked AS product_token), product_token = asked AND asked <> '*' AS by_name
    FROM page_agents JOIN (SELECT unnest(names) AS asked) ON product_token IN ('*', asked)
    WHERE list_contains(dialects, dialect)
    QUALIFY row_number() OVER (PARTITION BY page_policy_id, dialect, asked ORDER BY by_name DESC) = 1;

-- The preferences of pages about training, in headers and in meta tags that a crawler may read: none is known to obey
-- an http-equiv, and a template is not part of the page. A key within Content-Signal is not a TDM-Reservation.
CREATE OR REPLACE VIEW page_training_preferences AS
    FROM page_preferences
    WHERE (preference IN ('train-ai', 'ai-train') OR (vocabulary = 'tdm' AND preference = 'tdm-reservation'))
        AND allows IS NOT NULL AND source <> 'http-equiv' AND place IS DISTINCT FROM 'template';

-- One row per host with pages: their number, and the numbers of pages that a crawler that is not named may not index,
-- follow or quote (Google's dialect), may not train on by noai or by a preference (TDM-Reservation, Content-Usage,
-- Content-Signal), or may not train on by Bing's reading of noarchive; and the host's robots.txt.
CREATE OR REPLACE VIEW host_pages AS
    WITH meant AS (
        SELECT
            page_policy_id,
            bool_or(dialect = 'google' AND NOT may_index) AS noindex,
            min(unavailable_after) FILTER (dialect = 'google') AS unavailable_after,
            bool_or(dialect = 'google' AND NOT may_follow) AS nofollow,
            bool_or(dialect = 'google' AND NOT may_snippet) AS nosnippet,
            bool_or(dialect = 'noai' AND NOT may_train) AS noai,
            bool_or(dialect = 'bing' AND NOT may_train) AS noarchive,
            page_policy_id IN (SELECT page_policy_id FROM page_training_preferences WHERE NOT allows) AS denies_training
        FROM page_agents
        WHERE product_token = '*'
        GROUP BY page_policy_id
    )
    SELECT
        crawl, url_host_name, count(*) AS pages, count(DISTINCT page_policy_id) AS page_policies,
        count(*) FILTER (NOT is_indexable(NOT noindex, unavailable_after, html.fetch_time)) AS pages_noindex,
        count(*) FILTER (nofollow) AS pages_nofollow, count(*) FILTER (nosnippet) AS pages_nosnippet,
        count(*) FILTER (noai) AS pages_noai, count(*) FILTER (noarchive) AS pages_noarchive,
        count(*) FILTER (denies_training) AS pages_denying_training, any_value(html.domain) AS domain,
        hosts.file_id, hosts.policy_id, hosts.response_class
    FROM html_pages AS html
    JOIN meant USING (page_policy_id)
    LEFT JOIN hosts USING (crawl, url_host_name)
    GROUP BY ALL;

-- The pages of one crawl that robots.txt keeps a crawler from, under RFC 9309: another crawler fetched them.
CREATE OR REPLACE MACRO pages_behind_disallow(names, label) AS TABLE
    WITH asked AS MATERIALIZED (
        SELECT html.url, normal_path(html.path) AS path, hosts.policy_id
        FROM of_crawl('html_pages', label) AS html
        JOIN of_crawl('hosts', label) AS hosts USING (url_host_name)
    )
    SELECT url, product_token FROM closed_urls(names, 'asked');

-- Pages of one crawl with two contradictory statements, one row for each contradiction:
--   unseen_noindex       a page that may not be indexed (a noindex, or a date that has passed), and that robots.txt
--                        keeps Googlebot from, so it never sees that
--   allowed_not_to_train nothing in robots.txt keeps a crawler for AI training from the page, which forbids training
--   header_and_meta      a header and a meta tag of the head contradict each other on indexing or following
--   index_and_noindex    the header has both, or the meta tags of the head have
--   signals              robots.txt allows every crawler (*) training and the page denies it, or the other way round
CREATE OR REPLACE MACRO contradictions(label := NULL, names := ['gptbot', 'claudebot', 'google-extended']) AS TABLE
    WITH html AS MATERIALIZED (FROM of_crawl('html_pages', label)),
    crawlers AS MATERIALIZED (SELECT unnest(known_tokens(names)) AS product_token),
    closed AS MATERIALIZED (
        FROM pages_behind_disallow(['googlebot'] || (SELECT list(product_token) FROM crawlers), label)
    ),
    trained AS MATERIALIZED (
        SELECT page_policy_id, product_token, bool_and(allows) AS allows
        FROM (
            SELECT page_policy_id, product_token, false AS allows
            FROM effective_page_agents(['noai'], ['*'] || (SELECT list(product_token) FROM crawlers))
            WHERE NOT may_train
            UNION ALL
            SELECT page_policy_id, product_token, allows
            FROM page_training_preferences CROSS JOIN (FROM crawlers UNION ALL SELECT '*')
        )
        GROUP BY ALL
    ),
    preferred AS (
        SELECT url_host_name, bool_and(allows) AS allows
        FROM of_crawl('hosts', label)
        JOIN effective_preferences('*') USING (policy_id)
        WHERE preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL AND path IS NULL
        GROUP BY url_host_name
    ),
    meanings(rule, subject, allows) AS (VALUES
        ('index', 'index', true), ('all', 'index', true), ('noindex', 'index', false), ('none', 'index', false),
        ('follow', 'follow', true), ('all', 'follow', true), ('nofollow', 'follow', false), ('none', 'follow', false)
    ),
    stated AS (
        SELECT page_policy_id, source, subject, allows
        FROM page_rules JOIN meanings USING (rule)
        WHERE product_token = '*' AND field IN ('x-robots-tag', 'robots')
            AND (source = 'header' OR (source = 'meta' AND place = 'head'))
    ),
    found AS (
        SELECT html.url, 'unseen_noindex' AS contradiction, 'googlebot' AS product_token
        FROM html
        JOIN effective_page_agents(['google'], ['googlebot']) USING (page_policy_id)
        SEMI JOIN closed USING (url, product_token)
        WHERE NOT is_indexable(may_index, unavailable_after, fetch_time)
        UNION ALL
        SELECT html.url, 'allowed_not_to_train', trained.product_token
        FROM html
        JOIN trained USING (page_policy_id)
        JOIN of_crawl('hosts', label) AS hosts USING (url_host_name)
        ANTI JOIN closed ON closed.url = html.url AND closed.product_token = trained.product_token
        WHERE NOT allows AND is_settled AND trained.product_token <> '*'
        UNION ALL
        SELECT DISTINCT url, if(one.source = other.source, 'index_and_noindex', 'header_and_meta'), '*'
        FROM html
        JOIN stated AS one USING (page_policy_id)
        JOIN stated AS other USING (page_policy_id, subject)
        WHERE one.allows AND NOT other.allows AND (one.source <> other.source OR subject = 'index')
        UNION ALL
        SELECT url, 'signals', '*'
        FROM html
        JOIN trained USING (page_policy_id)
        JOIN preferred USING (url_host_name)
        WHERE preferred.allows <> trained.allows AND product_token = '*'
    )
    SELECT html.url_host_name, html.domain, found.*, html.page_policy_id
    FROM found JOIN html USING (url);
