-- How much of the blocking of AI crawlers is a vendor's default, and how much the host's own
-- choice?
--
-- Topic: AI crawlers together.
-- Keywords: Cloudflare, platform, managed, default, own decision, hoster.
-- Reproduces: blocks with and without Cloudflare's managed robots.txt of HasData's block index
--   (2026); vendor templates of thunderbit's AI crawler study.
-- Denominator: hosts, each once per crawl, that leave the crawler no path in a group of its own
--   (n). own: they still do without the lines of platforms; default: they do so by platforms' lines
--   alone. An owner who blocks the crawler next to a platform's block counts as own. owner-choices
--   has the same hosts as shares of all hosts with rules. By domain, a host keeps the weight that
--   it has among those.
-- Parameters: agents (the 8 AI agents that most policies name), crawl, by, weights.
CREATE OR REPLACE MACRO vendor_default(
    agents := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH population AS (FROM host_files_by('with_rules', crawl, "by", weights)),
    blocking AS MATERIALIZED (
        SELECT * REPLACE (product_token AS stratum), if(own_blocks_by_name, 'own', 'default') AS part
        FROM choices_of(coalesce(known_tokens(agents), usual_ai_agents(8)), 'population')
        WHERE blocks_by_name
    ),
    makers AS (SELECT unnest(['default', 'own']) AS part)
    SELECT
        stratum AS product_token,
        part AS made_by,
        hosts AS hosts_full_by_name,
        coalesce(share, 0) AS pct_of_blocking,
        low AS pct_low,
        high AS pct_high,
        n,
        'blocking the crawler by name' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(stratum, known_crawl(crawl)), note]) AS note
    FROM shares('blocking', 'blocking', 'makers') AS shares
    ORDER BY product_token, made_by;
