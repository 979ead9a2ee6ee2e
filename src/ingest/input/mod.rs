//! Inputs: finding them ([`sources`]), deciding which are new (`identity`), and their content once
//! they are open (`open`, `content`).

pub mod archive;
mod bodies;
pub(crate) mod content;
pub(crate) mod identity;
mod index;
mod indexed_records;
mod indexes;
mod lists;
mod name;
pub(crate) mod no_warc;
pub(crate) mod open;
mod planned;
pub mod preview;
pub mod sample;
mod skipped;
pub mod sources;
pub(crate) mod span;
pub mod subset;
#[cfg(test)]
mod tests;
pub(crate) mod zip;

pub(crate) use bodies::InputCheck;
pub(crate) use indexed_records::MAX_BYTES_AT_ONCE;
pub use lists::MAX_LISTED;
pub use planned::{InputPlace, PlannedInput};
pub use skipped::{SkipReason, SkippedInput};
