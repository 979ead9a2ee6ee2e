//! Analyses of a dataset: [queries](query), which run in [DuckDB](duckdb), the [`report`] made from
//! their results, [probes](probe) of policies, [changes](policy_diffs) of policies, and the
//! [`history`] of a site.

pub mod duckdb;
pub mod history;
mod lists;
pub mod panel;
pub mod policy_diffs;
pub mod probe;
pub mod query;
pub mod report;
pub mod summary;
