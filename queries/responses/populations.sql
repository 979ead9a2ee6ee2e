-- From all captures down to hosts with rules: how many are there of each population?
-- Keywords: denominators, funnel, how many hosts, filter, sample size.
-- Reproduces: nothing published; how the denominators of the other queries follow from each other.
-- Denominator: none; a row for each step. A row marked by two spaces is a part of the row above that is left out of
--   the next step. domains: registrable domains with such a host.
CREATE OR REPLACE MACRO populations(crawl VARCHAR := NULL) AS TABLE
    WITH crawled AS MATERIALIZED (
        SELECT domain, is_settled, response_class, policy_id, has_lines, has_rules, content_class
        FROM of_crawl('host_files', crawl)
    ),
    steps(position, population, step, number, domains) AS (
        SELECT 1, NULL, 'captures', count(*), NULL FROM of_crawl('captures', crawl)
        UNION ALL SELECT 2, NULL, 'captures of a robots.txt URL', count(*), NULL FROM of_crawl('resolved', crawl)
        UNION ALL SELECT 3, NULL, 'origins (scheme, host and port)', count(*), NULL FROM of_crawl('origins', crawl)
        UNION ALL
        SELECT 4, 'captured', 'hosts captured', count(*), count(DISTINCT domain) FROM crawled
        UNION ALL
        SELECT 5, NULL, '  forbidden (401, 403)', count(*), NULL
        FROM crawled WHERE NOT is_settled AND response_class = 'forbidden'
        UNION ALL
        SELECT 6, NULL, '  errors (408, 425, 429, 5xx)', count(*), NULL
        FROM crawled WHERE NOT is_settled AND response_class = 'defer'
        UNION ALL
        SELECT 7, NULL, '  redirects not resolved', count(*), NULL
        FROM crawled WHERE NOT is_settled AND response_class NOT IN ('forbidden', 'defer')
        UNION ALL
        SELECT 8, 'answered', 'hosts that answered conclusively', count(*), count(DISTINCT domain)
        FROM crawled WHERE is_settled
        UNION ALL
        SELECT 9, NULL, '  no file (404 and the like, 204)', count(*), NULL
        FROM crawled WHERE is_settled AND policy_id IS NULL
        UNION ALL
        SELECT 10, NULL, '  a body that is no robots.txt (pages, empty, binary)', count(*), NULL
        FROM crawled WHERE is_settled AND policy_id IS NOT NULL AND NOT has_lines
        UNION ALL
        SELECT 11, 'with_file', 'hosts with a robots.txt', count(*), count(DISTINCT domain) FROM crawled WHERE has_lines
        UNION ALL
        SELECT 12, NULL, '  lines, but no rules', count(*), NULL FROM crawled WHERE has_lines AND NOT has_rules
        UNION ALL
        SELECT 13, 'with_rules', 'hosts with rules', count(*), count(DISTINCT domain) FROM crawled WHERE has_rules
        UNION ALL
        SELECT 14, NULL, '  of these, pages that crawlers find rules in', count(*), NULL
        FROM crawled WHERE has_rules AND content_class <> 'rules'
    )
    SELECT step, number, domains, population, known_crawl(crawl) AS crawl FROM steps ORDER BY position;
