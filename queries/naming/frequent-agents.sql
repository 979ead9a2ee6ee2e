-- Which user agents recur in many files and crawls?
-- Keywords: user agents, persistent, stable, popular bots, long tail.
-- Reproduces: frequent user agents (Common Crawl's robots.txt experiments: at least 250 mentions in 5 crawls).
-- Denominator: none. An agent is the text of a user-agent line in lower case, not a product token; a mention is a
--   capture whose file has it.
CREATE OR REPLACE MACRO frequent_agents(min_mentions := 1, min_crawls := 1, top := 100) AS TABLE
    SELECT user_agent, mentions, crawls, first_crawl, last_crawl, all_crawls() AS all_crawls
    FROM mentioned_agents
    WHERE mentions >= min_mentions AND crawls >= min_crawls
    ORDER BY mentions DESC, user_agent
    LIMIT top;
