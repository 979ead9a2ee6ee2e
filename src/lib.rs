//! robostat turns archived robots.txt captures into Parquet tables for research.
//!
//! ```text
//! file ──▶ container ──▶ WARC record ──▶ HTTP response ──▶ capture ──▶ robots.txt ──▶ policy
//!          (members,      (head + block)   (status, headers,  (URL, time,  (lines,       (rule set,
//!           frames)                         decoded body)      status)      groups)        id)
//!                                                                                            │
//!  Parquet + manifest ◀── dataset ◀── join (in input order) ◀── tables (Arrow) ◀─────────────┘
//! ```
//!
//! Data moves one way; each stage takes a slice and returns a value. Four libraries know nothing of
//! tables: [`warc_recovery`] reads records out of archives, [`robots_dialects`] reads robots.txt,
//! [`page_directives`] what pages say to robots, and [`registrable_domain`] has the Public Suffix
//! List. On them stand five rooms:
//!
//! - [`ingest`]: archives become rows, in parallel and in input order;
//! - [`remote`]: files from the network, one rate and one pause for all;
//! - [`dataset`]: the tables, their Parquet parts, the manifest, commits, verification;
//! - [`analysis`]: what is asked of a dataset: queries, report, probes;
//! - [`cli`]: arguments → a validated plan → run → exit code.
//!
//! [`url_parts`] takes URLs apart, [`threads`] makes thread pools, [`escape`] escapes text from the
//! web, [`whole_file`] puts files in place as a whole, and [`error`] is what stops a run.

#![allow(
    unreachable_pub,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a program: what is `pub` is for its own modules, tests and benchmarks"
)]

mod analysis;
#[cfg(test)]
mod cases;
pub mod cli;
mod dataset;
mod error;
mod escape;
mod ingest;
mod remote;
pub mod threads;
mod url_parts;
mod whole_file;

/// What the program's own tests and benchmarks call. No other crate can rely on it.
#[doc(hidden)]
pub mod internals {
    pub use crate::analysis::query::{plan, shipped};
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
