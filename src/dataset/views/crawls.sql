-- The crawl that a parameter names: the last in time if the label is null, an error if the dataset has no such crawl.
CREATE OR REPLACE MACRO known_crawl(label) AS
    CASE
        WHEN coalesce(label, '') = '' THEN coalesce(crawl_labels()[-1], '')
        WHEN list_contains(crawl_labels(), label) THEN label
        ELSE error('the dataset has no crawl ' || label || '; its crawls: ' || array_to_string(crawl_labels(), ', '))
    END;

-- The crawls of the dataset in words: the only crawl, or the first, the last and the number of crawls.
CREATE OR REPLACE MACRO all_crawls() AS
    CASE WHEN len(crawl_labels()) < 2 THEN coalesce(crawl_labels()[1], '')
        ELSE format('{} to {} ({} crawls)', crawl_labels()[1], crawl_labels()[-1], len(crawl_labels())) END;

-- The position of a crawl in time, from 1: DuckDB groups and joins by it much faster than by the label.
CREATE OR REPLACE MACRO crawl_number(label) AS list_position(crawl_labels(), label);

-- The crawl that another is compared with, by default the previous crawl; null if both are the same or there is no
-- previous crawl.
CREATE OR REPLACE MACRO crawl_before(label, before) AS
    CASE
        WHEN coalesce(before, '') <> '' THEN nullif(known_crawl(before), known_crawl(label))
        WHEN crawl_number(known_crawl(label)) > 1 THEN crawl_labels()[crawl_number(known_crawl(label)) - 1]
    END;

-- Notes joined into one; null if all of them are null.
CREATE OR REPLACE MACRO joined_notes(notes) AS nullif(array_to_string(notes, '; '), '');

-- Notes on the order of crawls, null if the order is certain: on the position of one crawl, and on the order of two.
CREATE OR REPLACE MACRO untimed_note(label) AS
    CASE WHEN list_contains(untimed_crawls(), label)
        THEN 'captures of ' || label || ' have no times: the crawl is placed '
            || concat_ws(' and ',
                if(len(untimed_crawls()) < len(crawl_labels()), 'before crawls that have times', NULL),
                if(len(untimed_crawls()) > 1, 'by its label', NULL)
            ) END;
CREATE OR REPLACE MACRO order_note(label) AS
    CASE WHEN len(crawl_labels()) > 1 THEN joined_notes([
        untimed_note(label),
        'captures of ' || label || ' overlap in time with captures of '
            || nullif(array_to_string(crawl_overlaps()[crawl_number(label)], ', '), '')
    ]) END;
CREATE OR REPLACE MACRO order_note_of_two(label, before) AS
    CASE
        WHEN list_contains(crawl_overlaps()[crawl_number(label)], before)
            THEN 'captures of ' || before || ' and ' || label || ' overlap in time'
        ELSE joined_notes([untimed_note(before), untimed_note(label)])
    END;

-- A time in UTC without a time zone: DuckDB computes much faster with such times.
CREATE OR REPLACE MACRO utc(moment) AS make_timestamp(epoch_us(moment));

-- A note on a crawler that was announced, or first named by a public list, after a day (agent_catalog.since_source).
CREATE OR REPLACE MACRO announcement_note(known_since, list_or_page, last_day) AS
    CASE
        WHEN last_day IS NULL OR last_day >= known_since THEN NULL
        WHEN regexp_matches(list_or_page, '//github\.com/(ai-robots-txt|monperrus)/') THEN 'before '
            || strftime(known_since, '%Y-%m') || ', when a public list first named the crawler; it may be older'
        ELSE 'before the crawler was announced in ' || strftime(known_since, '%Y-%m')
    END;
-- announcement_note for the last day of a crawl, without the crawler's name and with it. Parameters here avoid the
-- names of query parameters, which DuckDB would confuse.
CREATE OR REPLACE MACRO known_since() AS
    (SELECT map_from_entries(list((product_token, (since, since_source)))) FROM agent_catalog WHERE since IS NOT NULL);
CREATE OR REPLACE MACRO announcement_of(token, place) AS
    announcement_note(known_since()[token][1], known_since()[token][2], last_days()[crawl_number(place)]);
CREATE OR REPLACE MACRO named_announcement(token, place) AS token || ': ' || announcement_of(token, place);
