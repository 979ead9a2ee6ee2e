-- Every host in every crawl with the counts of its file (null without a file), and the same without the lines
-- of platforms: policy_id is files.owner_policy_id, has_rules whether the owner wrote a rule.
CREATE OR REPLACE VIEW host_files AS
    SELECT hosts.*, files.* EXCLUDE (file_id, file_id_high, policy_id, body)
    FROM hosts LEFT JOIN files ON files.file_id = hosts.file_id;
CREATE OR REPLACE VIEW host_files_by_owner AS
    SELECT host_files.* REPLACE (owner_policy_id AS policy_id, coalesce(policies.n_rules > 0, false) AS has_rules)
    FROM host_files LEFT JOIN policies ON policies.policy_id = owner_policy_id;

-- Every group of every file, with the platform that wrote it, if one did. Lines are numbered in the exemplar file.
CREATE OR REPLACE VIEW file_groups AS
    SELECT files.file_id, platforms.platform, platforms.platform_version, groups.*
    FROM files
    JOIN groups ON groups.policy_id = files.policy_id
    LEFT JOIN platforms ON platforms.file_id = files.file_id AND group_index BETWEEN group_first AND group_last;

-- A word if the parameter takes it; else an error.
CREATE OR REPLACE MACRO one_of(word, words, parameter) AS CASE
    WHEN list_contains(words, word) THEN word
    ELSE error(parameter || ' takes ' || array_to_string(words, ', ') || ', not ' || word)
END;

-- The populations that shares are of, each a part of the one before; populations by owner leave out
-- what platforms wrote:
--   captured    every host with a response of any kind
--   answered    hosts that gave a usable answer: with a file, or with its absence (404 and the like)
--   with_file   hosts with a robots.txt: rules, or other lines of one
--   with_rules  hosts whose robots.txt has rules in a group
-- And with_body: a response with a body, which may be a page; with_success: also a 204, which has no body. view_of is
-- the view of a population's hosts: `others`, except for populations by owner.
CREATE OR REPLACE MACRO is_in_population(population) AS
    CASE replace(one_of(population, [
        'captured', 'answered', 'with_body', 'with_success', 'with_file', 'with_rules',
        'answered_by_owner', 'with_file_by_owner', 'with_rules_by_owner'
    ], 'population'), '_by_owner', '')
        WHEN 'captured' THEN true
        WHEN 'answered' THEN is_settled
        WHEN 'with_body' THEN file_id IS NOT NULL
        WHEN 'with_success' THEN file_id IS NOT NULL OR final_status = 204
        WHEN 'with_file' THEN has_lines
        ELSE has_rules
    END;
CREATE OR REPLACE MACRO view_of(population, others) AS
    if(contains(population, '_by_owner'), 'host_files_by_owner', others);

-- The hosts of a population in one crawl, and their number.
CREATE OR REPLACE MACRO hosts_in(population, label) AS TABLE
    FROM of_crawl(view_of(population, 'hosts'), label) WHERE is_in_population(population);
CREATE OR REPLACE MACRO population_size(population, label) AS (SELECT count(*) FROM hosts_in(population, label));
