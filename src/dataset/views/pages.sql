-- HTML pages with a success status, each URL once per crawl. If both a response and an extract of
-- it (WAT) were read, the response counts; of several, the latest. domain is the registrable
-- domain, or the host if it has none. language is taken from the html tag, else from the
-- Content-Language header, as written. counts has links and data-nosnippet, null without `ingest
-- --links`.
CREATE OR REPLACE VIEW html_pages AS
    SELECT
        crawl,
        url,
        arg_max(url_host_name, (source = 'warc', fetch_time)) AS url_host_name,
        arg_max(coalesce(url_host_registered_domain, url_host_name), (source = 'warc', fetch_time)) AS domain,
        arg_max(coalesce(url_path, '/') || coalesce('?' || url_query, ''), (source = 'warc', fetch_time)) AS path,
        arg_max(page_policy_id, (source = 'warc', fetch_time)) AS page_policy_id,
        arg_max(input_id, (source = 'warc', fetch_time)) AS input_id,
        arg_max({'is': fetch_time}, (source = 'warc', fetch_time)).is AS fetch_time,
        -- In a struct, as arg_max skips null.
        arg_max({'is': coalesce(html_lang, content_language)}, (source = 'warc', fetch_time)).is AS language,
        arg_max(
            {
                'links': n_links,
                'nofollow': n_links_nofollow,
                'ugc': n_links_ugc,
                'sponsored': n_links_sponsored,
                'qualified': n_links_qualified,
                'nosnippet': n_data_nosnippet,
                'nosnippet_google': n_data_nosnippet_google
            },
            (source = 'warc', fetch_time)
        ) AS counts
    FROM pages
    WHERE is_html AND fetch_status BETWEEN 200 AND 299 AND page_policy_id IS NOT NULL AND url_host_name IS NOT NULL
    GROUP BY crawl, url;

-- Whether a page that was fetched at a time may be indexed: not after its unavailable_after.
CREATE OR REPLACE MACRO is_indexable(may_index, unavailable_after, fetch_time) AS
    may_index AND NOT coalesce(unavailable_after <= fetch_time, false);

-- Hosts with such pages, and how many each has of each policy. domain_number and input_id are
-- what weighed_sql takes for clusters. fetch_time is null where the policy has no unavailable_after, so that
-- its pages are one row.
CREATE OR REPLACE VIEW page_hosts AS
    SELECT
        crawl,
        url_host_name,
        any_value(domain) AS domain,
        (hash(any_value(domain)) >> 1)::BIGINT AS domain_number,
        min(input_id) AS input_id,
        count(*) AS pages
    FROM html_pages
    GROUP BY ALL;
CREATE OR REPLACE VIEW host_page_policies AS
    SELECT
        crawl,
        url_host_name,
        page_policy_id,
        if(expiring.page_policy_id IS NULL, NULL, fetch_time) AS fetch_time,
        count(*) AS pages
    FROM html_pages
    LEFT JOIN (SELECT DISTINCT page_policy_id FROM page_agents WHERE unavailable_after IS NOT NULL) AS expiring
        USING (page_policy_id)
    GROUP BY ALL;

-- Hosts with pages of which links were counted, and for each property of links and passages how
-- many pages have it and how often. It has the columns of page_hosts, and counts.
CREATE OR REPLACE VIEW link_hosts AS
    SELECT
        crawl,
        url_host_name,
        any_value(domain) AS domain,
        (hash(any_value(domain)) >> 1)::BIGINT AS domain_number,
        min(input_id) AS input_id,
        count(*) AS pages,
        count(counts.nosnippet) AS pages_of_responses,
        sum(counts.links)::BIGINT AS links,
        [
            {'said': 'any', 'pages': count_if(counts.qualified > 0), 'elements': sum(counts.qualified)::BIGINT},
            {'said': 'nofollow', 'pages': count_if(counts.nofollow > 0), 'elements': sum(counts.nofollow)::BIGINT},
            {'said': 'ugc', 'pages': count_if(counts.ugc > 0), 'elements': sum(counts.ugc)::BIGINT},
            {'said': 'sponsored', 'pages': count_if(counts.sponsored > 0), 'elements': sum(counts.sponsored)::BIGINT},
            {
                'said': 'data-nosnippet',
                'pages': count_if(counts.nosnippet > 0),
                'elements': coalesce(sum(counts.nosnippet), 0)::BIGINT
            },
            {
                'said': 'data-nosnippet-google',
                'pages': count_if(counts.nosnippet_google > 0),
                'elements': coalesce(sum(counts.nosnippet_google), 0)::BIGINT
            }
        ] AS counts
    FROM html_pages
    WHERE counts.links IS NOT NULL
    GROUP BY ALL;

-- The pages of one crawl, counted by host and policy, each with its weight in a share: the weight
-- of its host (see weighed_sql) in equal parts.
CREATE OR REPLACE MACRO pages_by(label, unit, weights) AS TABLE
    SELECT *, weight * weight AS squares
    FROM (
        SELECT
            url_host_name,
            of_host.domain,
            of_host.cluster,
            page_policy_id,
            of_policy.fetch_time,
            1 AS hosts,
            of_policy.pages,
            of_host.weight * of_policy.pages / of_host.pages AS weight
        FROM query(
            'FROM ' || weighed_sql('page_hosts', 'crawl = ' || sql_text(known_crawl(label)), unit, weights)
        ) AS of_host
        JOIN host_page_policies AS of_policy USING (crawl, url_host_name)
    );

-- What the policies of pages mean to a crawler by a dialect: what they say to it by name, else to all.
CREATE OR REPLACE MACRO effective_page_agents(dialects, names) AS TABLE
    WITH asked AS (
        SELECT dialect, product_token
        FROM (SELECT unnest(dialects) AS dialect) CROSS JOIN (SELECT unnest(names) AS product_token)
    ),
    everybody AS (
        SELECT asked.product_token AS asked_token, page_agents.*
        FROM page_agents JOIN asked USING (dialect) WHERE page_agents.product_token = '*'
    )
    SELECT
        everybody.page_policy_id,
        everybody.dialect,
        asked_token AS product_token,
        own.page_policy_id IS NOT NULL AS by_name,
        if(by_name, own.may_index, everybody.may_index) AS may_index,
        if(by_name, own.may_follow, everybody.may_follow) AS may_follow,
        if(by_name, own.may_archive, everybody.may_archive) AS may_archive,
        if(by_name, own.may_snippet, everybody.may_snippet) AS may_snippet,
        if(by_name, own.may_train, everybody.may_train) AS may_train,
        if(by_name, own.ai_use, everybody.ai_use) AS ai_use,
        if(by_name, own.unavailable_after, everybody.unavailable_after) AS unavailable_after,
        if(by_name, own.has_contradiction, everybody.has_contradiction) AS has_contradiction
    FROM everybody
    LEFT JOIN page_agents AS own
        ON own.page_policy_id = everybody.page_policy_id
        AND own.dialect = everybody.dialect
        AND own.product_token = asked_token
        AND asked_token <> '*';

-- One row per host with pages: how many there are, and how many a crawler that is not named may not
-- index, follow or show an excerpt of (Google's dialect), may not train on by noai or by a preference
-- (TDM-Reservation, Content-Usage, Content-Signal), or may not train on by what Bing makes of noarchive;
-- and what its robots.txt is.
CREATE OR REPLACE VIEW host_pages AS
    WITH denying AS (
        SELECT DISTINCT page_policy_id
        FROM page_preferences
        WHERE NOT allows AND preference IN ('tdm-reservation', 'train-ai', 'ai-train')
    ),
    meant AS (
        SELECT
            page_policy_id,
            bool_or(dialect = 'google' AND NOT may_index) AS noindex,
            min(unavailable_after) FILTER (dialect = 'google') AS unavailable_after,
            bool_or(dialect = 'google' AND NOT may_follow) AS nofollow,
            bool_or(dialect = 'google' AND NOT may_snippet) AS nosnippet,
            bool_or(dialect = 'noai' AND NOT may_train) AS noai,
            bool_or(dialect = 'bing' AND NOT may_train) AS noarchive
        FROM page_agents
        WHERE product_token = '*'
        GROUP BY page_policy_id
    ),
    counted AS (
        SELECT
            crawl,
            url_host_name,
            sum(pages)::BIGINT AS pages,
            count(DISTINCT page_policy_id) AS page_policies,
            coalesce(sum(pages) FILTER (NOT is_indexable(NOT noindex, unavailable_after, fetch_time)), 0)::BIGINT AS pages_noindex,
            coalesce(sum(pages) FILTER (nofollow), 0)::BIGINT AS pages_nofollow,
            coalesce(sum(pages) FILTER (nosnippet), 0)::BIGINT AS pages_nosnippet,
            coalesce(sum(pages) FILTER (noai), 0)::BIGINT AS pages_noai,
            coalesce(sum(pages) FILTER (noarchive), 0)::BIGINT AS pages_noarchive,
            coalesce(sum(pages) FILTER (denying.page_policy_id IS NOT NULL), 0)::BIGINT AS pages_denying_training
        FROM host_page_policies
        JOIN meant USING (page_policy_id)
        LEFT JOIN denying USING (page_policy_id)
        GROUP BY ALL
    )
    SELECT
        counted.*,
        page_hosts.domain,
        hosts.file_id,
        hosts.policy_id,
        hosts.response_class
    FROM counted
    JOIN page_hosts USING (crawl, url_host_name)
    LEFT JOIN hosts USING (crawl, url_host_name);

-- The pages of one crawl that robots.txt keeps a crawler from, by RFC 9309: they were fetched by a
-- crawler that it does not keep, or that did not ask.
CREATE OR REPLACE MACRO pages_behind_disallow(names, label) AS TABLE
    WITH asked AS MATERIALIZED (
        SELECT html.url, html.path, hosts.policy_id
        FROM of_crawl('html_pages', label) AS html
        JOIN of_crawl('hosts', label) AS hosts USING (url_host_name)
        WHERE hosts.policy_id IS NOT NULL
    ),
    restricted AS MATERIALIZED (
        SELECT policy_id, product_token, matched_token
        FROM effective_agents_of(names)
        WHERE restriction <> 'none' AND policy_id IN (SELECT policy_id FROM asked)
    ),
    agent_rules AS (
        SELECT DISTINCT
            policy_id,
            matched_token,
            precedence_of(rule_type, path_length) AS precedence,
            rules.path AS pattern,
            pattern_key(rules.path) AS key
        FROM (SELECT policy_id, group_index, unnest(product_tokens) AS matched_token FROM groups)
        SEMI JOIN restricted USING (policy_id, matched_token)
        JOIN rules USING (policy_id, group_index)
        WHERE NOT is_empty
    ),
    paths_asked AS MATERIALIZED (SELECT DISTINCT policy_id, path FROM asked),
    compared AS (
        SELECT policy_id, path, matched_token, precedence, pattern, like_of(pattern) AS like_pattern
        FROM keyed_paths('FROM paths_asked')
        JOIN agent_rules USING (policy_id, key)
    ),
    closed AS (
        SELECT policy_id, path, matched_token
        FROM compared
        WHERE pattern_matches(path, pattern, like_pattern)
        GROUP BY ALL
        HAVING is_disallow(max(precedence))
    )
    SELECT DISTINCT url, product_token
    FROM closed
    JOIN restricted USING (policy_id, matched_token)
    JOIN asked USING (policy_id, path);

-- Pages of one crawl with two contradicting statements, one row for each contradiction:
--   unseen_noindex       noindex, on a page that robots.txt keeps Googlebot from, which never sees it
--   allowed_not_to_train robots.txt lets a crawler for AI training fetch the page, and the page forbids
--                        training (noai, or a preference); product_token is the crawler
--   header_and_meta      a header and a meta tag of the head say the opposite of indexing or following
--   index_and_noindex    one place has both
--   signals              robots.txt allows every crawler (*) training (Content-Signal, Content-Usage) and
--                        the page denies it, or the other way round
CREATE OR REPLACE MACRO contradictions(label := NULL, names := ['gptbot', 'claudebot', 'google-extended']) AS TABLE
    WITH html AS MATERIALIZED (FROM of_crawl('html_pages', label)),
    trained AS MATERIALIZED (
        SELECT page_policy_id, bool_and(allows) AS allows
        FROM (
            SELECT page_policy_id, may_train AS allows
            FROM page_agents WHERE dialect = 'noai' AND product_token = '*' AND NOT may_train
            UNION ALL
            SELECT page_policy_id, allows
            FROM page_preferences
            WHERE preference IN ('tdm-reservation', 'train-ai', 'ai-train') AND allows IS NOT NULL
        )
        GROUP BY page_policy_id
    ),
    said AS MATERIALIZED (
        SELECT
            page_policy_id,
            bool_or(source = 'header' AND rule IN ('noindex', 'none')) AS header_noindex,
            bool_or(source = 'header' AND rule IN ('index', 'all')) AS header_index,
            bool_or(source = 'header' AND rule IN ('nofollow', 'none')) AS header_nofollow,
            bool_or(source = 'header' AND rule IN ('follow', 'all')) AS header_follow,
            bool_or(source = 'meta' AND rule IN ('noindex', 'none')) AS meta_noindex,
            bool_or(source = 'meta' AND rule IN ('index', 'all')) AS meta_index,
            bool_or(source = 'meta' AND rule IN ('nofollow', 'none')) AS meta_nofollow,
            bool_or(source = 'meta' AND rule IN ('follow', 'all')) AS meta_follow
        FROM page_rules
        WHERE product_token = '*' AND field IN ('x-robots-tag', 'robots') AND (source = 'header' OR place = 'head')
        GROUP BY page_policy_id
    ),
    closed AS MATERIALIZED (FROM pages_behind_disallow(['googlebot'] || names, label)),
    stated AS MATERIALIZED (
        SELECT url_host_name, bool_and(allows) AS allows
        FROM of_crawl('hosts', label)
        JOIN effective_preferences('*') USING (policy_id)
        WHERE preference IN ('ai-train', 'train-ai') AND allows IS NOT NULL AND path IS NULL
        GROUP BY url_host_name
    ),
    found AS (
        SELECT html.url, 'unseen_noindex' AS contradiction, 'googlebot' AS product_token
        FROM html
        JOIN effective_page_agents(['google'], ['googlebot']) AS meant USING (page_policy_id)
        JOIN closed ON closed.url = html.url AND closed.product_token = 'googlebot'
        WHERE NOT is_indexable(may_index, unavailable_after, fetch_time)
        UNION ALL
        SELECT html.url, 'allowed_not_to_train', asked.product_token
        FROM html
        JOIN trained USING (page_policy_id)
        JOIN of_crawl('hosts', label) AS hosts USING (url_host_name)
        CROSS JOIN (SELECT unnest(names) AS product_token) AS asked
        ANTI JOIN closed ON closed.url = html.url AND closed.product_token = asked.product_token
        WHERE NOT trained.allows AND hosts.is_settled
        UNION ALL
        SELECT url, 'header_and_meta', '*'
        FROM html JOIN said USING (page_policy_id)
        WHERE (header_noindex AND meta_index) OR (header_index AND meta_noindex)
            OR (header_nofollow AND meta_follow) OR (header_follow AND meta_nofollow)
        UNION ALL
        SELECT url, 'index_and_noindex', '*'
        FROM html JOIN said USING (page_policy_id)
        WHERE (header_noindex AND header_index) OR (header_nofollow AND header_follow)
            OR (meta_noindex AND meta_index) OR (meta_nofollow AND meta_follow)
        UNION ALL
        SELECT url, 'signals', '*'
        FROM html JOIN trained USING (page_policy_id) JOIN stated USING (url_host_name)
        WHERE stated.allows <> trained.allows
    )
    SELECT html.url_host_name, html.domain, found.*, html.page_policy_id
    FROM found JOIN html USING (url);
