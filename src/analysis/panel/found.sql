-- The rows of a Parquet index for the sites of a list, with or without www. Variables: index, sites (their paths).
FROM read_parquet(getvariable('index'), hive_partitioning = false)
WHERE url_host_name IN (
    SELECT unnest([domain, 'www.' || domain])
    FROM read_csv(getvariable('sites'), header = true, columns = {'domain': 'VARCHAR'})
)
