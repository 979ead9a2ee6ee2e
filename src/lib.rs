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

pub mod analysis;
pub mod cli;
pub mod dataset;
pub mod error;
pub mod escape;
pub mod ingest;
pub mod remote;
pub mod threads;
pub mod url_parts;
pub mod whole_file;
