//! What is asked of a dataset: [queries](query), which [DuckDB](duckdb) answers, the [`report`]
//! that tells what the answers say, [probes](probe) of policies, and the [`history`] of a site.

mod beside;
pub mod duckdb;
pub mod history;
pub mod probe;
pub mod query;
pub mod report;
mod wrapped;
