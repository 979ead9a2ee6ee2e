-- From all captures down to hosts with rules: how many are in each population?
-- Keywords: denominators, funnel, how many hosts, filter, sample size.
-- Denominator: none; steps that count hosts also have their registrable domains. Indented: the hosts that the next step
--   leaves out, or, after the last step, a part of it.
CREATE OR REPLACE MACRO populations(crawl := NULL) AS TABLE
    WITH counts AS (
        UNPIVOT (
            SELECT
                (SELECT count(*) FROM of_crawl('captures', crawl)) AS captures,
                (SELECT count(*) FROM of_crawl('resolved', crawl)) AS "captures of a robots.txt URL",
                (SELECT count(*) FROM of_crawl('origins', crawl)) AS "origins (scheme, host and port)",
                count(*) AS "hosts captured",
                count(*) FILTER (NOT is_settled AND response_class = 'forbidden') AS "  forbidden (401, 403)",
                count(*) FILTER (NOT is_settled AND response_class = 'defer')
                    AS "  errors (408, 425, 429, 5xx, no status)",
                count(*) FILTER (NOT is_settled AND response_class = 'redirect') AS "  redirects not resolved",
                count(*) FILTER (NOT is_settled AND response_class NOT IN ('forbidden', 'defer', 'redirect'))
                    AS "  files that the dataset lacks (304, revisits, bodies that did not arrive)",
                count(*) FILTER (is_settled) AS "hosts that gave a usable answer",
                count(*) FILTER (is_settled AND policy_id IS NULL) AS "  no file (404 and the like, 204)",
                count(*) FILTER (is_settled AND policy_id IS NOT NULL AND NOT has_lines)
                    AS "  a body that is no robots.txt (pages, empty, binary)",
                count(*) FILTER (has_lines) AS "hosts with a robots.txt",
                count(*) FILTER (has_lines AND NOT has_rules) AS "  lines, but no rules",
                count(*) FILTER (has_rules) AS "hosts with rules",
                count(*) FILTER (has_rules AND content_class <> 'rules')
                    AS "  of these, pages that crawlers find rules in",
                MAP {
                    'hosts captured': {'of': 'captured', 'domains': count(DISTINCT domain)},
                    'hosts that gave a usable answer':
                        {'of': 'answered', 'domains': count(DISTINCT domain) FILTER (is_settled)},
                    'hosts with a robots.txt':
                        {'of': 'with_file', 'domains': count(DISTINCT domain) FILTER (has_lines)},
                    'hosts with rules': {'of': 'with_rules', 'domains': count(DISTINCT domain) FILTER (has_rules)}
                } AS populations
            FROM of_crawl('host_files', crawl)
        )
        ON COLUMNS(* EXCLUDE populations) INTO NAME step VALUE number
    )
    SELECT
        step, number, populations[step].domains AS domains, populations[step].of AS population,
        known_crawl(crawl) AS crawl
    FROM counts;
