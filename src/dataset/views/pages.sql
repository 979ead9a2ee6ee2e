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

-- Hosts with such pages, and how many each has: all, those of which links were counted, and of these those
-- from responses, of which data-nosnippet was counted too. domain_number and input_id are what weights
-- take for clusters.
CREATE OR REPLACE VIEW page_hosts AS
    SELECT
        crawl,
        url_host_name,
        any_value(domain) AS domain,
        (hash(any_value(domain)) >> 1)::BIGINT AS domain_number,
        min(input_id) AS input_id,
        count(*) AS pages,
        count(counts.links) AS pages_with_links,
        count(counts.nosnippet) AS pages_of_responses
    FROM html_pages
    GROUP BY ALL;

-- The pages of one crawl, each with its weight in a share: the weight of its host (see weighed) in equal
-- parts. stratum is null, as queries of pages have one.
CREATE OR REPLACE MACRO pages_by(label, unit, weights) AS TABLE
    WITH hosts_counted AS (SELECT NULL AS stratum, * FROM of_crawl('page_hosts', label))
    SELECT
        NULL AS stratum,
        pages.* EXCLUDE (crawl, path, input_id),
        of_host.cluster,
        of_host.weight / of_host.pages AS weight
    FROM of_crawl('html_pages', label) AS pages
    JOIN weighed('hosts_counted', unit, weights) AS of_host USING (url_host_name);

-- The same for pages of which links were counted. The stratum links has all of them, the stratum passages
-- those from responses, of which data-nosnippet was counted too.
CREATE OR REPLACE MACRO link_pages_by(label, unit, weights) AS TABLE
    WITH hosts_counted AS (
        SELECT NULL AS stratum, * FROM of_crawl('page_hosts', label) WHERE pages_with_links > 0
    )
    SELECT
        unnest(if(counts.nosnippet IS NULL, ['links'], ['links', 'passages'])) AS stratum,
        url_host_name,
        pages.domain,
        counts,
        of_host.cluster,
        of_host.weight / if(stratum = 'links', pages_with_links, pages_of_responses) AS weight
    FROM of_crawl('html_pages', label) AS pages
    JOIN (SELECT * EXCLUDE (stratum) FROM weighed('hosts_counted', unit, weights)) AS of_host USING (url_host_name)
    WHERE counts.links IS NOT NULL;

-- Shares of pages: the answer of shares, and of the pages that count (pages) their hosts and domains.
CREATE OR REPLACE MACRO page_shares(counted, population, parts := 'no_parts') AS TABLE
    WITH hosts_of_parts AS (
        SELECT stratum, part, count(DISTINCT url_host_name) AS hosts, count(DISTINCT domain) AS domains
        FROM query_table(counted)
        GROUP BY ALL
    )
    SELECT
        page_shares.stratum,
        page_shares.part,
        page_shares.hosts AS pages,
        coalesce(hosts_of_parts.hosts, 0) AS hosts,
        coalesce(domains, 0) AS domains,
        share,
        low,
        high,
        n,
        note
    FROM shares(counted, population, parts) AS page_shares
    LEFT JOIN hosts_of_parts
        ON hosts_of_parts.stratum IS NOT DISTINCT FROM page_shares.stratum
        AND hosts_of_parts.part IS NOT DISTINCT FROM page_shares.part;

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
            any_value(domain) AS domain,
            count(*) AS pages,
            count(DISTINCT page_policy_id) AS page_policies,
            count(*) FILTER (NOT is_indexable(NOT noindex, unavailable_after, fetch_time)) AS pages_noindex,
            count(*) FILTER (nofollow) AS pages_nofollow,
            count(*) FILTER (nosnippet) AS pages_nosnippet,
            count(*) FILTER (noai) AS pages_noai,
            count(*) FILTER (noarchive) AS pages_noarchive,
            count(denying.page_policy_id) AS pages_denying_training
        FROM html_pages
        JOIN meant USING (page_policy_id)
        LEFT JOIN denying USING (page_policy_id)
        GROUP BY ALL
    )
    SELECT counted.* EXCLUDE (domain), counted.domain, hosts.file_id, hosts.policy_id, hosts.response_class
    FROM counted
    LEFT JOIN hosts USING (crawl, url_host_name);

-- The pages of one crawl that robots.txt keeps a crawler from, by RFC 9309: they were fetched by a
-- crawler that it does not keep, or that did not ask.
CREATE OR REPLACE MACRO pages_behind_disallow(names, label) AS TABLE
    WITH asked AS MATERIALIZED (
        SELECT html.url, normal_path(html.path) AS path, hosts.policy_id
        FROM of_crawl('html_pages', label) AS html
        JOIN of_crawl('hosts', label) AS hosts USING (url_host_name)
    )
    SELECT url, product_token FROM closed_urls(names, 'asked');

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
