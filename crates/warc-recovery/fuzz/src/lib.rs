//! The promises of the crate's parsers and decoders: functions that panic if the promise is broken.
//!
//! One fuzz target per promise runs it on the inputs of libFuzzer. `cargo test -p warc-recovery`
//! runs the same functions over `seeds/`, which include every input that ever broke a promise.

mod bodies;
mod containers;
mod heads;
#[path = "../../tests/archives/read.rs"]
#[allow(dead_code, reason = "the tests of archives use the rest")]
mod read;
mod units;

/// Panics if the promise is broken for these bytes.
pub type Promise = fn(&[u8]);

/// Every promise, by the name of its fuzz target.
pub const ALL: [(&str, Promise); 6] = [
    ("containers", containers::every_byte_is_accounted_for),
    ("units", units::fast_and_stepping_decoders_agree),
    ("arc_head", heads::url_record_is_decided_by_its_own_bytes),
    ("warc_head", heads::warc_head_is_decided_by_its_own_bytes),
    ("http_head", heads::http_head_lies_within_its_block),
    (
        "http_body",
        bodies::limits_hold_and_chunking_changes_nothing,
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

/// `data` before and after the first line feed.
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
