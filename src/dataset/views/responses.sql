-- What a response means to a crawler, in the classes of Common Crawl's robots.txt experiments, in order for `origins`:
--   success       2xx, and any response with a file: a 304 that repeats a known one, a resource record
--   allow_all     other 4xx: the host has no robots.txt
--   forbidden     401, 403: some dialects read "no robots.txt", others "keep out"
--   defer         408, 425, 429, 5xx, no status or an impossible one: ask again later
--   redirect      3xx
--   not_modified  304 for a file that the dataset does not have: shows nothing
CREATE OR REPLACE MACRO response_class(status, file_id) AS
    CASE
        WHEN status BETWEEN 200 AND 299 OR file_id IS NOT NULL THEN 'success'
        WHEN status = 304 THEN 'not_modified'
        WHEN status BETWEEN 300 AND 399 THEN 'redirect'
        WHEN status IN (401, 403) THEN 'forbidden'
        WHEN status BETWEEN 400 AND 499 AND status NOT IN (408, 425, 429) THEN 'allow_all'
        ELSE 'defer'
    END;

-- What a successful response contains: rules, no rules, or something that is not a robots.txt; null for any other
-- response.
CREATE OR REPLACE MACRO content_served(response_class, content_class, final_status, file_id) AS
    CASE
        WHEN response_class <> 'success' THEN NULL
        WHEN content_class = 'rules' THEN 'rules'
        WHEN content_class IN ('no_rules', 'empty') OR final_status = 204 THEN 'no rules'
        WHEN file_id IS NULL THEN 'unknown'
        ELSE 'not a robots.txt'
    END;

-- The latest capture of every origin's robots.txt in every crawl, whatever it answered: with the columns of `resolved`,
-- and of `captures`. With a join instead of a semi join, DuckDB applies a filter on the crawl to both tables.
CREATE OR REPLACE VIEW latest_resolved AS SELECT * EXCLUDE (is_latest) FROM resolved WHERE is_latest;
CREATE OR REPLACE VIEW latest_captures AS
    SELECT captures.*
    FROM captures
    JOIN latest_resolved USING (crawl, input_id, warc_record_offset, warc_record_inner_offset);

-- How many rows of a statement meet a condition, and the median of their numbers.
CREATE OR REPLACE MACRO counted_where(says, holds, number) AS {
    'says': says, 'counted': count(*) FILTER (holds), 'median': quantile_disc(number, 0.5) FILTER (holds)
};
