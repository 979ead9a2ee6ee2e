-- Who blocks AI crawlers by name: the owners of hosts, or only the platforms that write parts of their files?
-- Keywords: Cloudflare, managed robots.txt, default, vendor, deliberate, platform, hoster, own decision.
-- Reproduces: blocks with and without Cloudflare's managed file (HasData 2026); vendor templates (thunderbit).
-- Denominator: hosts with rules (n). made_by: all (the file names or blocks the crawler), own (even without platforms'
--   lines) or default (only through platforms' lines); own and default add up to all. pct_of_blocking: of hosts that
--   block the crawler by name.
CREATE OR REPLACE MACRO owner_choices(agents := NULL, crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    choices AS MATERIALIZED (
        SELECT
            * RENAME (product_token AS part, own_names AS names_own), names AS names_all,
            names AND NOT own_names AS names_default,
            blocks_by_name AS "all", own_blocks_by_name AS own, blocks_by_name AND NOT own_blocks_by_name AS "default"
        FROM choices_of(chosen_ai_agents(agents, 8), 'population')
        WHERE names
    ),
    blocking AS (SELECT * REPLACE (part AS stratum, true AS part) FROM choices WHERE blocks_by_name),
    asked AS (SELECT unnest(chosen_ai_agents(agents, 8)) AS part),
    by_maker AS (
        SELECT
            *, unnest(['all', 'own', 'default']) AS made_by,
            found[made_by] AS blocked, found['names_' || made_by].hosts AS hosts_named
        FROM shares_of_answers(
            'choices', 'population', ['names_all', 'names_own', 'names_default', 'all', 'own', 'default'], 'asked'
        )
    )
    SELECT
        by_maker.part AS product_token, made_by, by_maker.n, hosts_named, blocked.hosts AS hosts_full_by_name,
        blocked.share AS pct_full_by_name, blocked.low AS pct_low, blocked.high AS pct_high,
        of_blocking.found[made_by].share AS pct_of_blocking, of_blocking.found[made_by].low AS pct_of_blocking_low,
        of_blocking.found[made_by].high AS pct_of_blocking_high,
        by_maker.population, by_maker.unit, by_maker.crawl,
        joined_notes([announcement_of(by_maker.part, by_maker.crawl), blocked.note]) AS note
    FROM by_maker
    LEFT JOIN shares_of_answers('blocking', 'blocking', ['all', 'own', 'default']) AS of_blocking
        ON of_blocking.stratum = by_maker.part
    ORDER BY product_token, made_by;
