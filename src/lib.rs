//! robostat turns archived robots.txt captures into Parquet tables for research.
//!
//! Four libraries know nothing about tables: [`warc_recovery`] reads records from archives,
//! [`robots_dialects`] reads robots.txt, [`page_directives`] reads the directives of pages, and
//! [`registrable_domain`] has the Public Suffix List. Five modules build the program on them:
//! [`ingest`], [`remote`], [`dataset`], [`analysis`] and [`cli`]. docs/architecture.md shows how
//! data moves through them, and what each does.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a program: `pub` items are for its own modules, tests and benchmarks"
)]

mod analysis;
mod byte_order_mark;
pub mod cli;
mod dataset;
mod error;
mod escape;
mod ingest;
mod remote;
#[cfg(test)]
mod tests;
pub mod threads;
mod url_parts;
mod whole_file;

/// Items for the program's own tests and benchmarks. No other crate can rely on them.
#[doc(hidden)]
pub mod internals {
    pub use crate::analysis::query::{plan, shipped, views};
    pub use crate::dataset::known::KnownRows;
    pub use crate::dataset::tables::inputs::NoCaptures;
    pub use crate::dataset::{Dataset, Settings, Snapshot, tables};
    pub use crate::ingest::capture::Capture;
    pub use crate::ingest::collector::{Collector, CollectorOptions, SplitRows};
    pub use crate::ingest::corpus::CorpusOptions;
    pub use crate::ingest::input::{SkippedInput, sources, subset::Subset};
    pub use crate::ingest::page::Pages;
    pub use crate::ingest::rows::InputName;
    pub use crate::ingest::tally::Tally;
    pub use crate::ingest::{COMMIT_BYTES, Plan, Watcher, ingest};
    pub use crate::remote::{Remote, RemoteOptions};
}
