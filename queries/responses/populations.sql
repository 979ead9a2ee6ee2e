-- From all captures down to hosts with rules: how many are there of each population?
--
-- Topic: Responses.
-- Keywords: denominators, funnel, how many hosts, filter, sample size.
-- Reproduces: nothing published; how the denominators of the other queries follow from each other.
-- Denominator: none; a row for each step, with what of the step before is not in it. A row marked
--   by two spaces is a part of the row above that is left out of the next step.
-- Parameters: crawl.
CREATE OR REPLACE MACRO populations(crawl VARCHAR := NULL) AS TABLE
    WITH domains AS (
        SELECT
            sum(domains)::BIGINT AS captured_domains,
            coalesce(sum(domains) FILTER (answered), 0)::BIGINT AS answered_domains,
            coalesce(sum(domains) FILTER (with_file), 0)::BIGINT AS with_file_domains,
            coalesce(sum(domains) FILTER (with_rules), 0)::BIGINT AS with_rules_domains
        FROM (
            SELECT
                if(domain_number IS NULL, count(*), 1) AS domains,
                bool_or(is_settled) AS answered,
                bool_or(has_lines) AS with_file,
                bool_or(has_rules) AS with_rules
            FROM of_crawl('hosts', crawl)
            GROUP BY domain_number, if(domain_number IS NULL, (is_settled, has_lines, has_rules), NULL)
        )
    ),
    counted AS (
        SELECT
            (SELECT count(*) FROM of_crawl('captures', crawl)) AS captures,
            (SELECT count(*) FROM of_crawl('resolved', crawl)) AS robotstxt,
            (SELECT count(*) FROM of_crawl('origins', crawl)) AS origins,
            count(*) AS captured,
            count(*) FILTER (is_settled) AS answered,
            count(*) FILTER (NOT is_settled AND response_class = 'forbidden') AS forbidden,
            count(*) FILTER (NOT is_settled AND response_class = 'defer') AS deferred,
            count(*) FILTER (NOT is_settled AND response_class NOT IN ('forbidden', 'defer')) AS unresolved,
            count(*) FILTER (is_settled AND policy_id IS NULL) AS without_file,
            count(*) FILTER (is_settled AND policy_id IS NOT NULL AND NOT has_lines) AS no_robotstxt,
            count(*) FILTER (has_lines) AS with_file,
            count(*) FILTER (has_lines AND NOT has_rules) AS without_rules,
            count(*) FILTER (has_rules) AS with_rules,
            count(*) FILTER (has_rules AND content_class <> 'rules') AS pages_with_rules
        FROM of_crawl('host_files', crawl)
    ),
    steps AS (
        SELECT unnest([
            {'position': 1, 'population': NULL, 'step': 'captures', 'number': captures, 'domains': NULL},
            {'position': 2, 'population': NULL, 'step': 'captures of a robots.txt URL', 'number': robotstxt, 'domains': NULL},
            {'position': 3, 'population': NULL, 'step': 'origins (scheme, host and port)', 'number': origins, 'domains': NULL},
            {'position': 4, 'population': 'captured', 'step': 'hosts captured', 'number': captured, 'domains': captured_domains},
            {'position': 5, 'population': NULL, 'step': '  forbidden (401, 403)', 'number': forbidden, 'domains': NULL},
            {'position': 6, 'population': NULL, 'step': '  errors (408, 425, 429, 5xx)', 'number': deferred, 'domains': NULL},
            {'position': 7, 'population': NULL, 'step': '  redirects not resolved', 'number': unresolved, 'domains': NULL},
            {'position': 8, 'population': 'answered', 'step': 'hosts that answered conclusively', 'number': answered, 'domains': answered_domains},
            {'position': 9, 'population': NULL, 'step': '  no file (404 and the like, 204)', 'number': without_file, 'domains': NULL},
            {'position': 10, 'population': NULL, 'step': '  a body that is no robots.txt (pages, empty, binary)', 'number': no_robotstxt, 'domains': NULL},
            {'position': 11, 'population': 'with_file', 'step': 'hosts with a robots.txt', 'number': with_file, 'domains': with_file_domains},
            {'position': 12, 'population': NULL, 'step': '  lines, but no rules', 'number': without_rules, 'domains': NULL},
            {'position': 13, 'population': 'with_rules', 'step': 'hosts with rules', 'number': with_rules, 'domains': with_rules_domains},
            {'position': 14, 'population': NULL, 'step': '  of these, pages that crawlers find rules in', 'number': pages_with_rules, 'domains': NULL}
        ], recursive := true)
        FROM counted CROSS JOIN domains
    )
    SELECT step, number, domains, population, known_crawl(crawl) AS crawl FROM steps ORDER BY position;
