-- Internationalised names: a list may have bücher.example, the dataset has xn--bcher-kva.example. DuckDB cannot convert
-- them, so the labels xn--… of the dataset are decoded (RFC 3492 §6.2), and labels of the list are looked up among
-- them. The decoder's state is a struct. Bounds prevent errors for labels that are not Punycode.
CREATE OR REPLACE MACRO punycode_threshold(k, bias) AS greatest(1, least(26, k - bias));
CREATE OR REPLACE MACRO punycode_divisions(delta) AS
    len(list_filter([456, 15960, 558600, 19551000], lambda least_delta: delta >= least_delta));
CREATE OR REPLACE MACRO punycode_quotient(delta) AS delta // (35 ** punycode_divisions(delta))::BIGINT;
CREATE OR REPLACE MACRO punycode_bias(delta) AS
    36 * punycode_divisions(delta) + 36 * punycode_quotient(delta) // (punycode_quotient(delta) + 38);
CREATE OR REPLACE MACRO punycode_delta(run, is_first, n_chars) AS
    run // if(is_first, 700, 2) + run // if(is_first, 700, 2) // n_chars;
CREATE OR REPLACE MACRO punycode_char(code) AS
    chr(if(code BETWEEN 128 AND 55295 OR code BETWEEN 57344 AND 1114111, code, 65533)::INTEGER);
-- The state after the last digit of a number, which encodes one character and its position.
CREATE OR REPLACE MACRO punycode_end(state, place, n_chars) AS {
    place: place % n_chars + 1, start: place % n_chars + 1, weight: 1::BIGINT, k: 36::BIGINT,
    bias: punycode_bias(punycode_delta(place - state.start, state.start = 0, n_chars))::BIGINT,
    code: state.code + place // n_chars,
    chars: state.chars[:place % n_chars] || [punycode_char(state.code + place // n_chars)]
        || state.chars[place % n_chars + 1:]
};
CREATE OR REPLACE MACRO punycode_step(state, digit) AS
    if(
        digit < punycode_threshold(state.k, state.bias),
        punycode_end(state, state.place + digit * state.weight, len(state.chars) + 1),
        struct_update(
            state,
            place := state.place + digit * state.weight,
            weight := least(state.weight * (36 - punycode_threshold(state.k, state.bias)), 1000000000000),
            k := state.k + 36
        )
    );
CREATE OR REPLACE MACRO punycode_state(place, chars) AS {
    place: place::BIGINT, start: 0::BIGINT, weight: 1::BIGINT, k: 36::BIGINT, bias: 72::BIGINT, code: 128::BIGINT,
    chars: chars::VARCHAR[]
};
-- The text of a label xn--….
CREATE OR REPLACE MACRO unicode_label(label) AS
    list_reduce(
        list_transform(
            string_split(regexp_extract(label, '^xn--(?:.*-)?([a-z0-9]+)$', 1), ''),
            lambda digit: punycode_state(if(digit >= 'a', ascii(digit) - 97, ascii(digit) - 22), [])
        ),
        lambda state, digit: punycode_step(state, digit.place),
        punycode_state(0, coalesce(string_split(nullif(regexp_extract(label, '^xn--(.*)-[a-z0-9]+$', 1), ''), ''), []))
    ).chars.array_to_string('');

-- The dataset's labels xn--…, by their text; and a name with its labels encoded by looking them up.
CREATE OR REPLACE VIEW encoded_labels AS
    SELECT map_from_entries(list({text: text, label: label})) AS labels
    FROM (
        SELECT unicode_label(label) AS text, min(label) AS label
        FROM (
            SELECT DISTINCT unnest(string_split(url_host_name, '.')) AS label
            FROM hosts
            WHERE contains(url_host_name, 'xn--')
        )
        WHERE regexp_full_match(label, 'xn--(?:.*-)?[a-z0-9]+')
        GROUP BY ALL
    );
CREATE OR REPLACE MACRO encoded_name(name, labels) AS
    if(
        strlen(name) = length(name),
        name,
        array_to_string(
            list_transform(string_split(nfc_normalize(name), '.'), lambda label: coalesce(labels[label], label)), '.'
        )
    );
