-- How far the AI crawler that the most websites block by name is ahead of the next: a panel of the
-- same hosts, with blocks of the next crawler as the blocks before. pct_by_default: the share of the
-- websites that block it whose owners' lines alone do not. The parameter answer is the table with
-- the answer of agents-at-a-glance; crawl is filled in too.
WITH ranked AS (
    SELECT
        product_token,
        row_number() OVER (
            ORDER BY pct_of_domains DESC, hosts_full_by_name DESC, hosts_named DESC, product_token
        ) AS place
    FROM %answer
    WHERE is_ai AND hosts_full_by_name > 0
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
SELECT
    *,
    (
        SELECT pct_where(own.policy_id IS NULL, weight)
        FROM host_files_by('answered', %crawl, 'domain', NULL) AS hosts
        JOIN first USING (policy_id)
        LEFT JOIN first AS own ON own.policy_id = owner_policy_id
        WHERE has_rules
    ) AS pct_by_default
FROM panel_of(['lead'], 'answered_too', 'answered', 'next', 'first', 'next', 'first', 'domain')
