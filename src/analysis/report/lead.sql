-- How far the crawler that the most websites block by name is ahead of the next: a panel of the
-- same hosts, with blocks of the next crawler as the blocks before. %answer is the table with the
-- answer of agents-at-a-glance; %is_wanted and %crawl are filled in too.
WITH ranked AS (
    SELECT product_token, row_number() OVER (ORDER BY pct_of_domains DESC, product_token) AS place
    FROM %answer
    WHERE %is_wanted AND hosts_full_by_name > 0
),
blocking AS MATERIALIZED (
    SELECT policy_id, 'lead' AS product_token, place
    FROM agents JOIN ranked USING (product_token)
    WHERE restriction = 'full' AND place <= 2
),
answered AS MATERIALIZED (
    SELECT * REPLACE (if(has_rules, policy_id, NULL) AS policy_id)
    FROM hosts_by('answered', %crawl, 'host', NULL)
),
answered_too AS (SELECT url_host_name, policy_id FROM answered),
first AS (SELECT policy_id, product_token FROM blocking WHERE place = 1),
next AS (SELECT policy_id, product_token FROM blocking WHERE place = 2)
SELECT * FROM panel_of(['lead'], 'answered_too', 'answered', 'next', 'first', 'next', 'first', 'domain')
