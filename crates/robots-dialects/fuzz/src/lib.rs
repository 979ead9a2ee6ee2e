//! Promises about the crate's parsers and matchers, each a function that panics if the promise is
//! broken.
//!
//! One fuzz target per promise runs it on the inputs that libFuzzer generates. `cargo test -p
//! robots-dialects` runs the same functions over `seeds/`, which keeps every input that ever broke
//! a promise.

pub mod comparisons;
mod documents;
mod patterns;
mod percent;
mod restrictions;

/// Panics if the promise is broken for these bytes.
pub type Promise = fn(&[u8]);

/// Every promise, by the name of its fuzz target.
pub const ALL: [(&str, Promise); 7] = [
    ("robots_lines", documents::lines_add_up_to_the_body),
    ("robots_document", documents::canonical_form_says_the_same),
    (
        "robots_dialects",
        documents::dialects_agree_on_canonical_form,
    ),
    ("patterns", patterns::equal_the_obvious_matcher),
    ("percent", percent::forms_are_stable),
    ("restriction", restrictions::no_path_contradicts_the_result),
    (
        "comparison",
        comparisons::reasons_are_the_verdicts_that_change,
    ),
];

/// Runs the promise of this name.
///
/// # Panics
/// If the promise is broken, or no promise has this name.
pub fn run(name: &str, data: &[u8]) {
    let (_, promise) = ALL
        .iter()
        .find(|(known, _)| *known == name)
        .unwrap_or_else(|| panic!("no promise is called {name}"));
    promise(data);
}

/// `data` up to the first line feed, and the data after it.
fn first_line(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (data, &[]),
    }
}

/// Whether `part` is a slice of `whole`, not merely equal to one.
fn lies_within(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    part.start >= whole.start && part.end <= whole.end
}
