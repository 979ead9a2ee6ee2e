-- Which user agents do files name most over all crawls, in the columns of Common Crawl?
-- Keywords: published, comparison, Common Crawl, replication, frequent agents.
-- Reproduces: user-agents-frequent.csv of Common Crawl's experiments, which has min_count 250 and min_crawls 5.
-- Denominator: none; cnt: captures whose file names the agent, as in frequent-agents. Names have at most 32 characters,
--   or consist of letters, `_` and `-` only, and occur in at least min_crawls crawls, or in all crawls if there are
--   fewer.
CREATE OR REPLACE MACRO common_crawl_agents(min_count := 1, min_crawls := 5) AS TABLE
    SELECT user_agent, mentions AS cnt, crawls AS n_crawls, all_crawls() AS all_crawls
    FROM mentioned_agents
    WHERE mentions >= min_count
        AND crawls >= least(min_crawls, len(crawl_labels()))
        AND (length(user_agent) <= 32 OR regexp_full_match(user_agent, '[a-z_-]+'))
    ORDER BY cnt DESC, user_agent;
