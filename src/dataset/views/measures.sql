-- The measures of key-shares (part), in its order. Each counts the hosts of a population with an answer
-- (answers_of_host).
CREATE OR REPLACE VIEW key_measures AS
    SELECT
        population, unnest(answers) AS answer,
        if(population = 'blocking an AI crawler', 'template_of_blocking', answer) AS part,
        100 * place + generate_subscripts(answers, 1) AS position
    FROM (
        VALUES
            (1, 'captured', ['answered', 'forbidden', 'errors']),
            (2, 'answered', ['with_file', 'with_rules', 'names_ai', 'restricts_ai', 'blocks_ai', 'blocks_ai_by_any']),
            (3, 'answered', ['blocks_ai_or_all', 'blocks_all', 'training_not_search']),
            (4, 'with_rules', ['template']),
            (5, 'blocking an AI crawler', ['template']),
            (6, 'with_file', ['signals', 'mistake', 'sitemap'])
    ) AS populations(place, population, answers);
