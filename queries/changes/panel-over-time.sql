-- What share of the same sites blocks a crawler, crawl after crawl, and which sites came and went?
-- Keywords: panel, longitudinal, trend, time series, balanced, same sites, entered, left, silent.
-- Reproduces: monthly shares over a list of sites (Longpre et al. 2024); the panel (Liu et al., IMC 2025).
-- Denominator: hosts of the population that gave a usable answer in the crawl (n), or in every crawl (n_balanced).
--   change: in percentage points since the first crawl, over the balanced hosts; its interval pairs the two answers of
--   each host. Compared with the previous crawl, hosts_entered answer only now; hosts_left answered then, but have no
--   capture now, perhaps because a record is damaged (damaged_records of corpus); hosts_silent answered then, but now
--   have a capture without a usable answer. A change is claimed if at least 30 hosts are balanced; otherwise the
--   note has the reason. A stratum or crawl without an answer has null shares.
-- Parameters: sites: a CSV or Parquet file of domain and stratum, as `robostat panel choose` writes it. Then only its
--   sites count, each once in a crawl: as the host of that name, or as the host with www. if only that one answered.
--   Each stratum has its own rows, and the file's weights count if by is weight and weights names no other file. gaps:
--   a balanced host may lack an answer in this many consecutive crawls, where its last answer counts. population:
--   answered_by_owner leaves out the lines of platforms.
CREATE OR REPLACE MACRO panel_over_time(
    agents := NULL, population := 'answered', "by" := 'host', weights := NULL, sites := NULL, gaps := 0
) AS TABLE
    WITH asked AS MATERIALIZED (SELECT unnest(chosen_ai_agents(agents, 4)) AS part),
    blocks AS MATERIALIZED (FROM blocking_policies((SELECT list(part) FROM asked))),
    answers AS NOT MATERIALIZED (
        -- Numbers of domains of different crawls are unrelated, and hosts of a balanced panel may
        -- have answers of other crawls.
        SELECT * REPLACE ((hash(domain) >> 1)::BIGINT AS domain_number) FROM answers_of_sites(sites, population)
    ),
    everybody AS MATERIALIZED (
        SELECT
            {'crawl': stratum, 'sites': unnest(if(site_stratum = 'all', ['all'], ['all', site_stratum]))} AS stratum,
            url_host_name, domain_number, cluster, weight, policy_id, crawl, hosts.population, unit
        FROM weighed_population('answers', population, "by", coalesce(weights, sites)) AS hosts
    ),
    carried AS NOT MATERIALIZED (FROM carried_over('everybody', gaps)),
    followed AS NOT MATERIALIZED (FROM query_table(if(gaps = 0, 'everybody', 'carried'))),
    in_every_crawl AS (
        -- The weight of a host is the same in all crawls: its weight in the last one.
        SELECT
            url_host_name,
            arg_max(weight, stratum.crawl) AS weight,
            arg_min_null(policy_id, stratum.crawl) AS policy_id_before
        FROM followed
        WHERE stratum.sites = 'all'
        GROUP BY url_host_name
        HAVING count(*) = len(crawl_labels())
    ),
    balanced AS MATERIALIZED (
        SELECT
            followed.* REPLACE (
                if(
                    "by" = 'domain',
                    1.0 / count(*) OVER (PARTITION BY followed.stratum, domain_number),
                    in_every_crawl.weight
                ) AS weight
            ),
            policy_id_before
        FROM followed JOIN in_every_crawl USING (url_host_name)
    ),
    blocking AS (SELECT everybody.*, product_token AS part FROM everybody JOIN blocks USING (policy_id)),
    -- Every stratum in every crawl, even if none of its hosts answers there.
    series AS (
        SELECT {'crawl': number, 'sites': name} AS stratum, part
        FROM unnest(range(1, len(crawl_labels()) + 1)) AS numbers(number)
        CROSS JOIN (SELECT 'all' AS name UNION SELECT site_stratum FROM sites_of(sites))
        CROSS JOIN asked
    )
    SELECT
        part AS product_token, stratum.sites AS stratum, crawl_labels()[stratum.crawl] AS crawl,
        coalesce(now.hosts, 0) AS hosts_full,
        now.share AS pct_full, now.pct_low, now.pct_high,
        coalesce(now.n, 0) AS n,
        coalesce(same.hosts_full, 0) AS hosts_balanced_full,
        same.pct_full AS pct_balanced, same.pct_low AS pct_balanced_low, same.pct_high AS pct_balanced_high,
        coalesce(same.n, 0) AS n_balanced,
        if(no_panel IS NULL, COLUMNS(['change', 'change_low', 'change_high']), NULL),
        if(stratum.crawl = 1, NULL, coalesce(COLUMNS(['hosts_entered', 'hosts_left', 'hosts_silent']), 0)),
        population AS population, "by" AS unit,
        joined_notes([
            announcement_of(part, crawl_labels()[stratum.crawl]), order_note(crawl_labels()[stratum.crawl]),
            now.note, no_panel
        ]) AS note
    FROM series
    LEFT JOIN shares('blocking', 'everybody', 'asked') AS now USING (stratum, part)
    LEFT JOIN changes_of_blocks('balanced', 'asked', 'blocks', 'blocks') AS same USING (stratum, part)
    LEFT JOIN moves_of_sites(sites) AS moves USING (stratum)
    CROSS JOIN LATERAL (SELECT CASE
        WHEN stratum.crawl = 1 THEN 'no claim about a change: it is the first crawl'
        WHEN coalesce(same.n, 0) < 30 THEN
            'no claim about a change: ' || coalesce(same.n, 0) || ' hosts'
                || if(stratum.sites = 'all', '', ' of the stratum ' || stratum.sites)
                || ' are in every crawl, fewer than 30'
    END AS no_panel) AS reasons
    ORDER BY
        part, stratum.sites <> 'all', try_cast(regexp_extract(stratum.sites, '^\d+') AS BIGINT), stratum.sites,
        stratum.crawl;
