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
//! Data moves one way; each stage takes a slice and returns a value. In the order of the flow:
//!
//! - [`input`]: files opened for reading at any offset; [`container`]: gzip members, zstd frames
//!   and plain records; [`extent`]: stretches of a file, read in parallel; [`recovery`]: damaged
//!   and giant units, read in steps; [`lookup`]: one record, found by its offset;
//! - [`warc`], [`http`], [`capture`], [`url_parts`]: record → response → robots.txt capture;
//! - [`robots`]: the protocol, pure functions on octets; [`policy`]: identity of files and rule
//!   sets;
//! - [`collector`], [`rows`], [`tables`]: from captures to Arrow; [`join`], [`known`]: no thing
//!   twice;
//! - [`dataset`]: Parquet, manifest, commits; [`pipeline`]: the threads that run it all.
//!
//! Beside the flow, [`probe`] asks the policies of a dataset what agents may fetch; [`query`] puts
//! questions to it, which [`duckdb`] answers; [`report`] tells what the answers say; [`catalog`]
//! knows well-known crawlers; [`visible`] shows text from the web as it is; [`digest`] compares
//! records with the digests in their heads.

pub mod capture;
pub mod catalog;
pub mod cli;
pub mod collector;
pub mod container;
pub mod dataset;
pub mod digest;
pub mod duckdb;
pub mod error;
pub mod extent;
mod field_names;
pub mod header_fields;
pub mod http;
pub mod input;
pub mod join;
pub mod known;
pub mod lookup;
pub mod pipeline;
pub mod policy;
pub mod probe;
pub mod query;
pub mod recovery;
pub mod report;
pub mod robots;
pub mod rows;
pub mod tables;
pub mod tally;
#[cfg(test)]
#[path = "../tests/support/thread_time.rs"]
mod thread_time;
pub mod url_parts;
pub mod visible;
pub mod warc;
