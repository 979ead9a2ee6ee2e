-- The rows of an index in Parquet that are about the sites of a list, with or without www. Variables: index and sites
-- (paths of the two).
FROM read_parquet(getvariable('index'), hive_partitioning = false)
WHERE url_host_name IN (
    SELECT unnest([domain, 'www.' || domain])
    FROM read_csv(getvariable('sites'), header = true, columns = {'domain': 'VARCHAR'})
)
