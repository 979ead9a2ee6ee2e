-- The rows of an index in Parquet about the sites of a list, with or without www. Variables: index, sites (the paths
-- of the index and of the list).
FROM read_parquet(getvariable('index'), hive_partitioning = false)
WHERE url_host_name IN (
    SELECT unnest([domain, 'www.' || domain])
    FROM read_csv(getvariable('sites'), header = true, columns = {'domain': 'VARCHAR'})
)
