-- Which kinds of crawlers do hosts name, and which do they block?
-- Keywords: kinds, purposes, search engines, SEO tools, archives, AI training.
-- Reproduces: naming by kind (Common Crawl, IIPC 2025); blocking by kind (Cui et al., CCS 2025; Cloudflare Radar).
-- Denominator: hosts with a file that has rules (n). A host counts in a category if its file names a crawler of the
--   category, and in full or partial if that crawler's own rules block it fully or partly.
CREATE OR REPLACE MACRO agent_categories(crawl := NULL, "by" := 'host', weights := NULL) AS TABLE
    WITH population AS MATERIALIZED (FROM hosts_by('with_rules', crawl, "by", weights)),
    naming AS MATERIALIZED (SELECT *, category AS part FROM kinds_named),
    blocking AS (FROM naming WHERE blocks_one)
    SELECT
        named.part AS category, named.hosts, named.share AS pct_of_hosts_with_rules, named.pct_low, named.pct_high,
        blocked.hosts AS hosts_full, blocks_one_partly AS hosts_partial,
        blocked.share AS pct_full, blocked.pct_low AS pct_full_low, blocked.pct_high AS pct_full_high,
        round(tokens / named.hosts, 2) AS tokens_per_naming_host,
        named.n, named.population, named.unit, named.crawl, named.note
    FROM joined_shares('naming', 'population', sums := ['blocks_one_partly', 'tokens']) AS named
    JOIN joined_shares('blocking', 'population', 'naming') AS blocked USING (part)
    ORDER BY named.hosts DESC, category;
