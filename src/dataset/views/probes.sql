-- What a run of `robostat probe` found, by policy: FROM probes('probe').
CREATE OR REPLACE MACRO probes(run) AS TABLE
    FROM read_parquet(dataset_path('probes/' || run || '.parquet'), hive_partitioning = false);

-- The same by host: a path for every host (`hosts`), a path with a host for that host, a URL for
-- its origin (`origins`), each by the policy of the response that counts. A host without a file has
-- no rows: see response_class in `hosts`.
CREATE OR REPLACE MACRO host_probes(run) AS TABLE
    WITH asked AS (FROM probes(run))
    SELECT hosts.crawl, hosts.url_host_name, hosts.origin, asked.* EXCLUDE (url_host_name, origin)
    FROM hosts JOIN asked USING (policy_id)
    WHERE asked.origin IS NULL AND coalesce(asked.url_host_name = hosts.url_host_name, true)
    UNION ALL
    SELECT origins.crawl, origins.url_host_name, origins.origin, asked.* EXCLUDE (url_host_name, origin)
    FROM origins JOIN asked USING (policy_id, origin);
