-- Views of a robostat dataset, for DuckDB:  duckdb -init out/views.sql
-- A dataset that has moved: SET VARIABLE dataset = '/new/place'; then read this file again.

SET VARIABLE dataset = coalesce(getvariable('dataset'), '$DATASET');

CREATE OR REPLACE VIEW captures AS
    SELECT * FROM read_parquet(getvariable('dataset') || '/captures/*/part-*.parquet', hive_partitioning = true, hive_types = {'crawl': VARCHAR});
CREATE OR REPLACE VIEW files      AS SELECT * FROM read_parquet(getvariable('dataset') || '/files/part-*.parquet');
CREATE OR REPLACE VIEW policies   AS SELECT * FROM read_parquet(getvariable('dataset') || '/policies/part-*.parquet');
CREATE OR REPLACE VIEW groups     AS SELECT * FROM read_parquet(getvariable('dataset') || '/groups/part-*.parquet');
CREATE OR REPLACE VIEW rules      AS SELECT * FROM read_parquet(getvariable('dataset') || '/rules/part-*.parquet');
CREATE OR REPLACE VIEW agents     AS SELECT * FROM read_parquet(getvariable('dataset') || '/agents/part-*.parquet');
CREATE OR REPLACE VIEW directives AS SELECT * FROM read_parquet(getvariable('dataset') || '/directives/part-*.parquet');
CREATE OR REPLACE VIEW sitemaps   AS SELECT * FROM read_parquet(getvariable('dataset') || '/sitemaps/part-*.parquet');
CREATE OR REPLACE VIEW remarks    AS SELECT * FROM read_parquet(getvariable('dataset') || '/remarks/part-*.parquet');
CREATE OR REPLACE VIEW inputs     AS SELECT * FROM read_parquet(getvariable('dataset') || '/inputs/part-*.parquet');
CREATE OR REPLACE VIEW damage     AS SELECT * FROM read_parquet(getvariable('dataset') || '/damage/part-*.parquet');

-- The latest capture of every robots.txt URL in every crawl.
CREATE OR REPLACE VIEW latest_captures AS
    SELECT * FROM captures
    WHERE is_robotstxt_url
    QUALIFY row_number() OVER (
        PARTITION BY crawl, url_protocol, url_host_name, url_port
        ORDER BY fetch_time DESC NULLS LAST, warc_filename, warc_record_offset, warc_record_inner_offset
    ) = 1;
