-- ---- Crawls in time ----

-- The crawl that a parameter names: the last one in time where it is null; an error where the dataset
-- does not have that label.
CREATE OR REPLACE MACRO known_crawl(label) AS
    CASE
        WHEN coalesce(label, '') = '' THEN coalesce(crawl_labels()[-1], '')
        WHEN list_contains(crawl_labels(), label) THEN label
        ELSE error('there is no crawl ' || label || '; the dataset has ' || array_to_string(crawl_labels(), ', '))
    END;

-- The crawls of the dataset in words: the only one, or the first and the last with their number.
CREATE OR REPLACE MACRO all_crawls() AS
    CASE
        WHEN len(crawl_labels()) > 1 THEN
            crawl_labels()[1] || ' to ' || crawl_labels()[-1] || ' (' || len(crawl_labels()) || ' crawls)'
        ELSE coalesce(crawl_labels()[1], '')
    END;

-- The position of a crawl in time, 1 for the first: DuckDB groups and joins by this number much faster
-- than by the label.
CREATE OR REPLACE MACRO crawl_number(label) AS list_position(crawl_labels(), label);

-- The crawl that another is compared with: the one before it in time where none is named. Null for the
-- first crawl, and where a crawl would be compared with itself.
CREATE OR REPLACE MACRO crawl_before(label, before) AS
    CASE
        WHEN coalesce(before, '') <> '' THEN nullif(known_crawl(before), known_crawl(label))
        WHEN crawl_number(known_crawl(label)) > 1 THEN crawl_labels()[crawl_number(known_crawl(label)) - 1]
    END;

-- Some notes as one; null where all of them are.
CREATE OR REPLACE MACRO joined_notes(one, other) AS nullif(concat_ws('; ', one, other), '');

-- Notes on the order of crawls, null where it is certain: on the place of a crawl among all, and on the
-- order of two.
CREATE OR REPLACE MACRO untimed_note(label) AS
    CASE
        WHEN list_contains(untimed_crawls(), label) THEN
            'captures of ' || label || ' have no times: it comes before crawls that have times'
    END;
CREATE OR REPLACE MACRO order_note(label) AS
    CASE
        WHEN len(crawl_labels()) > 1 THEN joined_notes(
            untimed_note(label),
            'captures of ' || label || ' overlap in time with captures of '
                || nullif(array_to_string(crawl_overlaps()[crawl_number(label)], ', '), '')
        )
    END;
CREATE OR REPLACE MACRO order_note_of_two(label, before) AS
    CASE
        WHEN list_contains(crawl_overlaps()[crawl_number(label)], before) THEN
            'captures of ' || before || ' and ' || label || ' overlap in time'
        ELSE joined_notes(untimed_note(before), untimed_note(label))
    END;

-- A time in UTC without a time zone, with which DuckDB computes much faster.
CREATE OR REPLACE MACRO utc(moment) AS make_timestamp(epoch_us(moment));

-- A note for each crawler and crawl that ended before the crawler was announced; and that for a month.
CREATE OR REPLACE MACRO announcement_note(since, last_day) AS
    CASE
        WHEN last_day < since THEN 'before the crawler was announced in ' || strftime(since, '%Y-%m')
    END;
CREATE OR REPLACE VIEW unannounced_agents AS
    SELECT product_token, label AS crawl, announcement_note(since, utc(last_capture)::DATE) AS note
    FROM agent_catalog
    JOIN crawls ON utc(last_capture)::DATE < since;
