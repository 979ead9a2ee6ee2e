-- Who blocks AI crawlers by name: the owners of hosts, or only the platforms that write parts of their files?
-- Keywords: Cloudflare, managed robots.txt, default, vendor, deliberate, platform, hoster, own decision.
-- Reproduces: blocks with and without Cloudflare's managed file of HasData (2026); vendor templates of thunderbit.
-- Denominator: hosts with rules (n). all: the file names or blocks the crawler; own: also without platforms' lines;
--   default: by these alone. own and default add up to all. pct_of_blocking: of those that block by name.
CREATE OR REPLACE MACRO owner_choices(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    choices AS MATERIALIZED (FROM choices_of(chosen_ai_agents(agents, 8), 'population') WHERE names),
    naming AS (
        SELECT *, {'token': product_token, 'made_by': unnest(['all', if(own_names, 'own', 'default')])} AS part
        FROM choices
    ),
    blocking AS MATERIALIZED (
        SELECT *, {'token': product_token, 'made_by': unnest(['all', if(own_blocks_by_name, 'own', 'default')])} AS part
        FROM choices
        WHERE blocks_by_name
    ),
    -- The same hosts as shares of those that block the crawler.
    blocking_by_token AS MATERIALIZED (SELECT * REPLACE (product_token AS stratum, part.made_by AS part) FROM blocking),
    all_blocking AS (FROM blocking_by_token WHERE part = 'all'),
    makers AS (SELECT unnest(['all', 'own', 'default']) AS part),
    asked AS (SELECT {'token': unnest(chosen_ai_agents(agents, 8)), 'made_by': part} AS part FROM makers)
    SELECT
        part.token AS product_token,
        part.made_by AS made_by,
        blocked.n,
        named.hosts AS hosts_named,
        blocked.hosts AS hosts_full_by_name, blocked.share AS pct_full_by_name, blocked.pct_low, blocked.pct_high,
        of_blocking.share AS pct_of_blocking,
        of_blocking.pct_low AS pct_of_blocking_low,
        of_blocking.pct_high AS pct_of_blocking_high,
        blocked.population, blocked.unit, blocked.crawl,
        joined_notes([announcement_of(part.token, blocked.crawl), blocked.note]) AS note
    FROM shares('blocking', 'population', 'asked') AS blocked
    JOIN shares('naming', 'population', 'asked') AS named USING (part)
    LEFT JOIN shares('blocking_by_token', 'all_blocking', 'makers') AS of_blocking
        ON of_blocking.stratum = blocked.part.token AND of_blocking.part = blocked.part.made_by
    ORDER BY product_token, made_by;
