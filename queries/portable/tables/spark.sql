-- The tables of the dataset in DATASET, for Spark.
CREATE TEMPORARY VIEW hosts USING parquet OPTIONS (path 'DATASET/hosts');
CREATE TEMPORARY VIEW files USING parquet OPTIONS (path 'DATASET/files');
CREATE TEMPORARY VIEW policies USING parquet OPTIONS (path 'DATASET/policies');
CREATE TEMPORARY VIEW agents USING parquet OPTIONS (path 'DATASET/agents');
CREATE TEMPORARY VIEW preferences USING parquet OPTIONS (path 'DATASET/preferences');
CREATE TEMPORARY VIEW remarks USING parquet OPTIONS (path 'DATASET/remarks');
CREATE TEMPORARY VIEW agent_catalog USING parquet OPTIONS (path 'DATASET/agent_catalog.parquet');
