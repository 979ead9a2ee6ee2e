-- Of the hosts that two crawls have in common, how many began to block a crawler, and how many
-- stopped?
--
-- Topic: What changes.
-- Keywords: same sites, two crawls, before and after, change, trend, longitudinal.
-- Reproduces: changes over the same sites of Longpre et al. 2024 and of Liu et al., IMC 2025
--   (figure 4).
-- Denominator: the panel (n): hosts that answered conclusively in both crawls, with a file, or that
--   there is none. full: no path is allowed. change is in percentage points, its interval that of
--   95%, with registrable domains as clusters. Of the blocks that are gone, file_gone had a
--   robots.txt before and have none now; rule_gone have one. hosts_silent answered conclusively
--   before, and not after: they are not part of the panel. A change is claimed of 30 hosts or more
--   that are a tenth of the smaller crawl or more; else the note has the reason, and shares and
--   changes are null.
-- Parameters: agents (the 8 AI agents that most policies name), crawl, before (the crawl before
--   that one), by, weights.
CREATE OR REPLACE MACRO agent_panel(
    agents := NULL,
    crawl VARCHAR := NULL,
    before VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (
        SELECT coalesce(known_tokens(agents), usual_ai_agents(8)) AS tokens
    ),
    earlier AS (
        SELECT url_host_name, policy_id
        FROM hosts_in('answered', crawl_before(crawl, before))
        WHERE crawl_before(crawl, before) IS NOT NULL
    ),
    later AS (FROM hosts_by('answered', crawl, if("by" = 'domain', 'host', "by"), weights)),
    blocks AS MATERIALIZED (FROM blocking_policies((SELECT tokens FROM chosen)))
    SELECT panel.* REPLACE (
        joined_notes([
            panel.note,
            announcement_of(product_token, panel.crawl_before),
            order_note_of_two(panel.crawl, panel.crawl_before)
        ]) AS note
    )
    FROM panel_of(
        (SELECT tokens FROM chosen),
        'earlier',
        'later',
        'blocks',
        'blocks',
        crawl_before(crawl, before),
        known_crawl(crawl),
        "by"
    ) AS panel
    ORDER BY abs(change) DESC NULLS LAST, panel.product_token;
