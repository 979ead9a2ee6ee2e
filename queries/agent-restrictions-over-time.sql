-- What share of hosts fully blocks a crawler, and how has that changed?
--
-- Topic: Who may crawl.
-- Reproduces: the share of sites that fully disallow each AI crawler, crawl by crawl, explicitly and
--   by way of `*`, of Liu et al., IMC 2025; CCBot's by crawl of Common Crawl's robots.txt experiments.
-- Denominator: the population (n): hosts, each once per crawl, that answered conclusively, with a file,
--   or that there is none. full: no path is allowed, by a group of its own (by_name) or by its
--   fallback's or that for `*` (by_wildcard). 95% intervals, with registrable domains as
--   clusters. Each crawl has other hosts: agent-panel has changes, over the hosts that two crawls share.
--   A note marks rows from before the crawler was announced.
-- Parameters: agents (['gptbot']), population (answered; with_file, with_rules), by (host; domain,
--   weight), weights (path of a CSV or Parquet file of domain and weight).
CREATE OR REPLACE MACRO agent_restrictions_over_time(
    agents VARCHAR[] := ['gptbot'],
    population VARCHAR := 'answered',
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    SELECT
        shares.product_token,
        crawl_labels()[stratum] AS crawl,
        hosts_full,
        pct_full,
        pct_full_low AS pct_low,
        pct_full_high AS pct_high,
        pct_full_by_name,
        pct_of(pct_full - pct_full_by_name) AS pct_full_by_wildcard,
        pct_partial,
        pct_none,
        n,
        population AS population,
        "by" AS unit,
        joined_notes(
            joined_notes(unannounced.note, order_note(crawl_labels()[stratum])),
            joined_notes(
                share_note(pct_full_of_hosts, pct_full_of_domains, top_domain, pct_of_top_domain),
                no_interval
            )
        ) AS note
    FROM agent_shares(
        known_tokens(agents),
        'SELECT crawl_number(crawl) AS stratum, * FROM ' || all_hosts_sql(population, "by", weights) || ' WHERE is_settled'
    ) AS shares
    LEFT JOIN unannounced_agents AS unannounced
        ON unannounced.product_token = shares.product_token AND unannounced.crawl = crawl_labels()[stratum]
    ORDER BY shares.product_token, stratum;
