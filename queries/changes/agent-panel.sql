-- Of the hosts that two crawls have in common, how many began to block a crawler, and how many stopped?
-- Keywords: same sites, two crawls, before and after, change, trend, longitudinal.
-- Reproduces: changes over the same sites (Longpre et al. 2024; Liu et al., IMC 2025, figure 4).
-- Denominator: the panel (n): hosts that gave a usable answer in both crawls. change is in percentage points.
--   file_gone: hosts whose block ended because they now have no robots.txt; rule_gone: hosts whose block ended
--   otherwise. left_or_silent: hosts that answered before, but now have no capture or no usable answer. A change is
--   claimed if the panel has at least 30 hosts and a tenth of the smaller crawl; otherwise shares are null, and the
--   note has the reason.
-- Parameters: before: the crawl to compare with; by default the previous crawl.
CREATE OR REPLACE MACRO agent_panel(
    agents := NULL, crawl := NULL, before := NULL, "by" := 'host', weights := NULL
) AS TABLE
    WITH earlier AS (
        SELECT url_host_name, policy_id
        FROM hosts_in('answered', crawl_before(crawl, before))
        WHERE crawl_before(crawl, before) IS NOT NULL
    ),
    later AS (FROM hosts_by('answered', crawl, if("by" = 'domain', 'host', "by"), weights)),
    blocks AS MATERIALIZED (FROM blocking_policies(chosen_ai_agents(agents, 8)))
    SELECT panel.* REPLACE (
        joined_notes([
            panel.note,
            if(crawl_number(panel.crawl_before) > crawl_number(panel.crawl), 'crawl_before is the later crawl', NULL),
            announcement_of(product_token, panel.crawl_before),
            order_note_of_two(panel.crawl, panel.crawl_before)
        ]) AS note
    )
    FROM panel_of(
        chosen_ai_agents(agents, 8), 'earlier', 'later', 'blocks', 'blocks',
        crawl_before(crawl, before), known_crawl(crawl), "by"
    ) AS panel
    ORDER BY abs(change) DESC NULLS LAST, panel.product_token;
