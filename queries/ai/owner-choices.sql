-- Who blocks AI crawlers by name: the owners of hosts, or only the platforms that write parts of
-- their files?
--
-- Topic: AI crawlers together.
-- Keywords: Cloudflare, managed robots.txt, default, deliberate, platform, own decision.
-- Reproduces: blocks with and without Cloudflare's managed robots.txt of HasData's block index
--   (2026); vendor templates of thunderbit's AI crawler study.
-- Denominator: the population (n): hosts, each once per crawl, with rules. all: the file names or
--   blocks the crawler; own: it still does without the lines of platforms, so that the owner chose
--   it; default: it does so by platforms' lines alone. own and default add up to all.
-- Parameters: agents (the 8 AI agents that most policies name), crawl, by, weights.
CREATE OR REPLACE MACRO owner_choices(
    agents := NULL,
    crawl VARCHAR := NULL,
    "by" VARCHAR := 'host',
    weights VARCHAR := NULL
) AS TABLE
    WITH chosen AS MATERIALIZED (SELECT coalesce(known_tokens(agents), usual_ai_agents(8)) AS tokens),
    population AS MATERIALIZED (FROM host_files_by('with_rules', crawl, "by", weights)),
    choices AS MATERIALIZED (FROM choices_of((SELECT tokens FROM chosen), 'population') WHERE names),
    naming AS (
        SELECT *, {
            'token': product_token,
            'made_by': unnest(['all', if(own_names, 'own', 'default')])
        } AS part
        FROM choices
    ),
    blocking AS (
        SELECT *, {
            'token': product_token,
            'made_by': unnest(['all', if(own_blocks_by_name, 'own', 'default')])
        } AS part
        FROM choices
        WHERE blocks_by_name
    ),
    parts AS (
        SELECT {'token': token, 'made_by': unnest(['all', 'own', 'default'])} AS part
        FROM (SELECT unnest(tokens) AS token FROM chosen)
    )
    SELECT
        part.token AS product_token,
        part.made_by AS made_by,
        of_blocking.n,
        of_naming.hosts AS hosts_named,
        of_blocking.hosts AS hosts_full_by_name,
        of_blocking.share AS pct_full_by_name,
        of_blocking.low AS pct_low,
        of_blocking.high AS pct_high,
        'with_rules' AS population,
        "by" AS unit,
        known_crawl(crawl) AS crawl,
        joined_notes([announcement_of(part.token, known_crawl(crawl)), of_blocking.note]) AS note
    FROM shares('blocking', 'population', 'parts') AS of_blocking
    JOIN shares('naming', 'population', 'parts') AS of_naming USING (part)
    ORDER BY product_token, made_by;
