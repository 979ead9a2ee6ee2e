-- What the crawlers may do on the hosts that this dataset shares with another. Variables: tokens
-- (the crawlers), hosts and blocks (paths of tables copied from the other dataset), before and now
-- (the names of the other dataset and of this one). The parameter unit is host or domain.
WITH hosts_before AS (FROM read_parquet(getvariable('hosts'))),
hosts_now AS (FROM hosts_by('answered', NULL, 'host', NULL)),
blocks_before AS (FROM read_parquet(getvariable('blocks'))),
blocks_now AS MATERIALIZED (FROM blocking_policies(getvariable('tokens')))
FROM panel_of(
    getvariable('tokens'), 'hosts_before', 'hosts_now', 'blocks_before', 'blocks_now',
    getvariable('before'), getvariable('now'), '%unit'
)
ORDER BY hosts_full DESC, product_token
