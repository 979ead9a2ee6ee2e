//! robostat turns archived robots.txt captures into Parquet tables for research.
//!
//! Four libraries know nothing of tables: [`warc_recovery`] reads records out of archives,
//! [`robots_dialects`] reads robots.txt, [`page_directives`] what pages say to robots, and
//! [`registrable_domain`] has the Public Suffix List. The program is built from them in five rooms:
//! [`ingest`], [`remote`], [`dataset`], [`analysis`] and [`cli`]. docs/architecture.md shows how
//! data moves through them, and what each does.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a program: what is `pub` is for its own modules, tests and benchmarks"
)]

mod analysis;
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

/// What the program's own tests and benchmarks call. No other crate can rely on it.
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
