-- The columns that the queries need, of the dataset in DATASET (s3://…), for Athena and Trino's Hive connector. Copy
-- agent_catalog.parquet into its own directory first: a location is a directory.
CREATE EXTERNAL TABLE hosts (
    url_host_name string, file_id bigint, policy_id bigint, response_class string,
    is_settled boolean, has_lines boolean, has_rules boolean
) PARTITIONED BY (crawl string) STORED AS PARQUET LOCATION 'DATASET/hosts/';
MSCK REPAIR TABLE hosts;
CREATE EXTERNAL TABLE files (file_id bigint, content_length bigint, n_sitemaps int)
STORED AS PARQUET LOCATION 'DATASET/files/';
CREATE EXTERNAL TABLE policies (policy_id bigint, n_agents int, n_rules int)
STORED AS PARQUET LOCATION 'DATASET/policies/';
CREATE EXTERNAL TABLE agents (
    policy_id bigint, product_token string, crawl_delay double, restriction string, wildcard_restriction string
) STORED AS PARQUET LOCATION 'DATASET/agents/';
CREATE EXTERNAL TABLE preferences (policy_id bigint, vocabulary string, preference string, allows boolean)
STORED AS PARQUET LOCATION 'DATASET/preferences/';
CREATE EXTERNAL TABLE remarks (file_id bigint, kind string, text string)
STORED AS PARQUET LOCATION 'DATASET/remarks/';
CREATE EXTERNAL TABLE agent_catalog (product_token string, is_ai boolean)
STORED AS PARQUET LOCATION 'DATASET/agent_catalog/';
