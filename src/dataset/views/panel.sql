-- ---- Changes over the same hosts ----

-- Why a panel of n hosts supports no claim about a change between crawls with hosts_before and hosts_now usable
-- answers; null if it supports one. The floor is 30 hosts, below which an interval of a share means little, and a tenth
-- of the smaller crawl: the hosts that two almost disjoint crawls happen to share represent neither.
CREATE OR REPLACE MACRO no_panel_note(n, hosts_before, hosts_now, crawls) AS
    'no claim about a change: ' || if(coalesce(n, 0) = 0, 'no host', 'only ' || n || ' hosts')
    || ' gave a usable answer ' || crawls
    || CASE
        WHEN coalesce(n, 0) = 0 THEN ''
        WHEN n < 30 THEN ', fewer than 30'
        WHEN n < 0.1 * least(hosts_before, hosts_now) THEN ', less than 10% of the smaller crawl'
    END;

-- How many hosts of a panel block a part, a product token, before and now: a row for each stratum and part. panel,
-- parts, blocks_before and blocks_now are names of CTEs: panel has the columns of a population, policy_id_before and
-- policy_id; parts has part; blocks_before and blocks_now have the columns of blocking_policies. change is in
-- percentage points.
CREATE OR REPLACE MACRO changes_of_blocks(panel, parts, blocks_before, blocks_now) AS TABLE
    WITH crawlers_before AS (SELECT policy_id, list(product_token) AS crawlers FROM query_table(blocks_before) GROUP BY ALL),
    crawlers_now AS (SELECT policy_id, list(product_token) AS crawlers FROM query_table(blocks_now) GROUP BY ALL),
    blocking AS MATERIALIZED (
        SELECT
            panel.*,
            -- Few hosts change, so only those take the slow list_distinct.
            unnest(CASE WHEN earlier.crawlers = later.crawlers THEN later.crawlers
                ELSE list_distinct(list_concat(earlier.crawlers, later.crawlers)) END) AS part,
            coalesce(list_contains(earlier.crawlers, part), false) AS before,
            coalesce(list_contains(later.crawlers, part), false) AS now,
            now AND NOT before AS added, before AND NOT now AS gone, gone AND panel.policy_id IS NULL AS file_gone
        FROM query_table(panel) AS panel
        LEFT JOIN crawlers_before AS earlier ON earlier.policy_id = policy_id_before
        LEFT JOIN crawlers_now AS later ON later.policy_id = panel.policy_id
    )
    SELECT
        stratum, part, n,
        found['before'].hosts AS hosts_full_before, found['now'].hosts AS hosts_full,
        found['before'].share AS pct_full_before, found['now'].share AS pct_full,
        found['now'].low AS pct_low, found['now'].high AS pct_high,
        pct(found['added'].weight - found['gone'].weight, total_weight) AS change,
        pct_of(100 * change_interval(found['added'].exact, found['gone'].exact).low) AS change_low,
        pct_of(100 * change_interval(found['added'].exact, found['gone'].exact).high) AS change_high,
        found['added'].hosts AS hosts_added,
        found['gone'].hosts - found['file_gone'].hosts AS hosts_rule_gone, found['file_gone'].hosts AS hosts_file_gone,
        found['added'].note AS note
    FROM shares_of_answers('blocking', panel, ['before', 'now', 'added', 'gone', 'file_gone'], parts);

-- The hosts that two crawls have in common, and how many of them block given product tokens before and now: the answer
-- of agent-panel. hosts_before and hosts_now are names of CTEs: hosts_before has url_host_name and policy_id, hosts_now
-- has the columns of hosts_by. Without a panel, shares and changes are null, and the note has the reason.
CREATE OR REPLACE MACRO panel_of(
    tokens, hosts_before, hosts_now, blocks_before, blocks_now, label_before, label_now, unit
) AS TABLE
    WITH panel AS MATERIALIZED (
        SELECT
            'panel' AS stratum, cluster, domain_number,
            -- By domain, every domain of the panel weighs 1, however many hosts it has outside the panel.
            if(
                unit = 'domain' AND domain_number IS NOT NULL,
                1.0 / count(*) OVER (PARTITION BY crawl, domain_number),
                weight
            ) AS weight,
            earlier.policy_id AS policy_id_before,
            -- Null too for a page or an empty file, which is not a robots.txt and blocks nobody.
            if(later.has_lines, later.policy_id, NULL) AS policy_id
        FROM query_table(hosts_now) AS later
        JOIN query_table(hosts_before) AS earlier USING (url_host_name)
    ),
    asked AS MATERIALIZED (SELECT unnest(tokens) AS part),
    totals AS (
        SELECT *, no_panel_note(n, n_before, n_now, 'in both crawls') AS no_panel
        FROM (SELECT count(*) AS n, domains_of(domain_number) AS n_domains FROM panel)
        CROSS JOIN (SELECT count(*) AS n_before FROM query_table(hosts_before))
        CROSS JOIN (SELECT count(*) AS n_now FROM query_table(hosts_now))
    )
    SELECT
        part AS product_token, label_before AS crawl_before, label_now AS crawl,
        totals.n, n_domains, hosts_full_before, hosts_full,
        if(no_panel IS NULL, COLUMNS(['pct_full_before', 'pct_full', 'change', 'change_low', 'change_high']), NULL),
        hosts_added, hosts_rule_gone, hosts_file_gone,
        if(label_before IS NULL, NULL, n_before - totals.n) AS hosts_left_or_silent,
        'panel' AS population, unit AS unit,
        CASE
            WHEN label_before IS NOT NULL THEN coalesce(no_panel, note)
            WHEN crawl_number(label_now) > 1 THEN 'no claim about a change: it is the crawl that before names'
            ELSE 'no claim about a change: it is the first crawl'
        END AS note
    FROM asked
    LEFT JOIN changes_of_blocks('panel', 'asked', blocks_before, blocks_now) AS changes USING (part)
    CROSS JOIN totals;

-- The sites of a file, each with its stratum: `all` if the file gives none.
CREATE OR REPLACE MACRO sites_of(sites) AS TABLE
    SELECT
        bare_name(domain) AS site,
        if(min(value) < max(value), error(sites || ': two strata for ' || site), coalesce(min(value), 'all')) AS site_stratum
    FROM matched_list(sites, ['stratum'], NULL)
    GROUP BY site;

-- Rows with url_host_name, each with its site and the site's stratum. A name in a file of sites means the hosts of that
-- name with and without a leading www.; without a file, each host is a site.
CREATE OR REPLACE MACRO at_sites(rows, sites) AS TABLE
    WITH listed AS (
        SELECT answering.*, site, site_stratum
        FROM query_table(rows) AS answering JOIN sites_of(sites) ON site = bare_name(url_host_name)
    ),
    unlisted AS (SELECT *, url_host_name AS site, 'all' AS site_stratum FROM query_table(rows))
    FROM query_table(if(sites IS NULL, 'unlisted', 'listed'));

-- The usable answers of a population at such sites, one per site and crawl: the answer without www. if both hosts
-- answer.
CREATE OR REPLACE MACRO answers_of_sites(sites, population) AS TABLE
    WITH answers AS NOT MATERIALIZED (
        SELECT * REPLACE (site AS url_host_name), url_host_name <> site AS is_other_host
        FROM at_sites(view_of(population, 'hosts'), sites)
        WHERE is_in_population(population) AND is_settled
    ),
    answers_once AS NOT MATERIALIZED (
        FROM answers QUALIFY row_number() OVER (PARTITION BY crawl, site ORDER BY is_other_host) = 1
    )
    FROM query_table(if(sites IS NULL, 'answers', 'answers_once'));

-- The rows of hosts in crawls, and a copy of a host's last row in up to `gaps` consecutive crawls without one. hosts is
-- the name of a CTE whose stratum is the crawl and a stratum of sites.
CREATE OR REPLACE MACRO carried_over(hosts, gaps) AS TABLE
    WITH followed AS (
        SELECT
            *,
            lead(stratum.crawl, 1, len(crawl_labels()) + 1)
                OVER (PARTITION BY stratum.sites, url_host_name ORDER BY stratum.crawl) AS next
        FROM query_table(hosts)
    )
    SELECT
        * EXCLUDE (next)
        REPLACE ({'crawl': number, 'sites': stratum.sites} AS stratum, crawl_labels()[number] AS crawl)
    FROM followed
    CROSS JOIN LATERAL unnest(range(stratum.crawl, least(next, stratum.crawl + 1 + gaps::BIGINT))) AS crawls(number);

-- How many sites answer conclusively, but did not in the previous crawl (hosts_entered), or did
-- then, but now have no capture (hosts_left) or an inconclusive answer (hosts_silent): a row for
-- each crawl and stratum of sites.
CREATE OR REPLACE MACRO moves_of_sites(sites) AS TABLE
    WITH answers AS (
        SELECT site_stratum, site, crawl_number(crawl) AS number, bool_or(is_settled) AS is_settled
        FROM at_sites('hosts', sites)
        GROUP BY ALL
    ),
    moves AS (
        SELECT
            number, unnest(if(site_stratum = 'all', ['all'], ['all', site_stratum])) AS site_stratum,
            now.is_settled AS settled_now, coalesce(before.is_settled, false) AS settled_before
        FROM answers AS now
        FULL JOIN (SELECT * REPLACE (number + 1 AS number) FROM answers) AS before USING (site_stratum, site, number)
    )
    SELECT
        {'crawl': number, 'sites': site_stratum} AS stratum,
        count(*) FILTER (settled_now AND NOT settled_before) AS hosts_entered,
        count(*) FILTER (settled_before AND settled_now IS NULL) AS hosts_left,
        count(*) FILTER (settled_before AND NOT settled_now) AS hosts_silent
    FROM moves
    WHERE number BETWEEN 2 AND len(crawl_labels())
    GROUP BY ALL;
