//! The pipeline: inputs are split into [splits](warc_recovery::split), read in parallel, and joined
//! in input order.
//!
//! [`input`] finds the inputs, decides which are new, and opens them. A [`run`](fn@ingest) cuts
//! them into work for a thread pool of its own, whose workers [collect](collector) rows. The run
//! takes the results in order: it checks that each split begins where the previous one ended, drops
//! rows of files and policies that an earlier split already added, passes the rest to the
//! [dataset](crate::dataset), and commits at borders that depend on the inputs alone. The queue of
//! splits in progress is bounded, and so is memory.

pub mod capture;
pub mod collector;
pub mod corpus;
pub mod input;
pub mod page;
mod pairs;
mod plan;
mod remainder;
pub mod rows;
mod run;
pub mod tally;

pub use plan::{COMMIT_BYTES, Plan, Totals, Watcher};
pub use remainder::remainder;
pub use run::ingest;
