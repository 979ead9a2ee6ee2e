-- The tables of the dataset in DATASET (gs://…), for BigQuery.
CREATE EXTERNAL TABLE hosts WITH PARTITION COLUMNS (crawl STRING)
OPTIONS (format = 'PARQUET', uris = ['DATASET/hosts/*'], hive_partition_uri_prefix = 'DATASET/hosts');
CREATE EXTERNAL TABLE files OPTIONS (format = 'PARQUET', uris = ['DATASET/files/*']);
CREATE EXTERNAL TABLE policies OPTIONS (format = 'PARQUET', uris = ['DATASET/policies/*']);
CREATE EXTERNAL TABLE agents OPTIONS (format = 'PARQUET', uris = ['DATASET/agents/*']);
CREATE EXTERNAL TABLE preferences OPTIONS (format = 'PARQUET', uris = ['DATASET/preferences/*']);
CREATE EXTERNAL TABLE remarks OPTIONS (format = 'PARQUET', uris = ['DATASET/remarks/*']);
CREATE EXTERNAL TABLE agent_catalog OPTIONS (format = 'PARQUET', uris = ['DATASET/agent_catalog.parquet']);
