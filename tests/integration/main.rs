//! Real runs of the program, one module per subject; `support` has what they share.

mod support;

mod access_columns;
mod bombs;
mod cases;
mod check;
mod check_batch;
mod compact;
mod corpora;
mod crawls;
mod denominators;
mod export;
mod faults;
mod independent;
mod ingest;
mod inspect;
mod kills;
mod limits;
mod merge;
mod output;
mod page_sample;
mod panels;
mod probe;
mod queries;
mod query;
mod readers;
mod readme;
mod records;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod report_sentences;
mod samples;
mod schema;
mod shares;
mod summary;
mod together;
mod untrusted;
mod verify;
