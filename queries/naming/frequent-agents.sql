-- Which user agents come back in file after file and crawl after crawl?
--
-- Topic: Who is named.
-- Keywords: user agents, persistent, stable, popular bots, long tail.
-- Reproduces: the list of frequent user agents of Common Crawl's robots.txt experiments (at least
--   250 mentions in at least 5 crawls).
-- Denominator: none. A mention is a capture with a file that names the agent, once however often it
--   does; agents are the values of user-agent lines as written, lower case, white space at the ends
--   aside, and not product tokens.
-- Parameters: min_mentions (1), min_crawls (1), top (100).
CREATE OR REPLACE MACRO frequent_agents(
    min_mentions INTEGER := 1,
    min_crawls INTEGER := 1,
    top INTEGER := 100
) AS TABLE
    WITH captured AS (
        SELECT policy_id, crawl_number(crawl) AS crawl, count(*) AS captures
        FROM captures
        WHERE policy_id IS NOT NULL AND is_robotstxt_url
        GROUP BY ALL
    ),
    named AS (
        SELECT DISTINCT policy_id, lower(user_agent) AS user_agent
        FROM (SELECT policy_id, unnest(user_agents) AS user_agent FROM groups)
        WHERE user_agent <> ''
    )
    SELECT * FROM (
        SELECT
            user_agent,
            sum(captures)::BIGINT AS mentions,
            count(*) AS crawls,
            crawl_labels()[min(crawl)] AS first_crawl,
            crawl_labels()[max(crawl)] AS last_crawl,
            all_crawls() AS all_crawls
        FROM (
            SELECT user_agent, crawl, sum(captures)::BIGINT AS captures
            FROM named
            JOIN captured USING (policy_id)
            GROUP BY ALL
        )
        GROUP BY user_agent
    )
    WHERE mentions >= min_mentions AND crawls >= min_crawls
    ORDER BY mentions DESC, user_agent
    LIMIT top;
