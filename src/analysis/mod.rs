//! What is asked of a dataset: [queries](query), which [DuckDB](duckdb) answers, the
//! [`report`] that tells what the answers say, and [probes](probe) of policies.

mod beside;
pub mod duckdb;
pub mod probe;
pub mod query;
pub mod report;
