//! Real runs of the program, one module per subject; `support` has what they share.

mod support;

mod access_columns;
mod bombs;
mod catalog;
mod check;
mod check_batch;
mod compact;
mod corpora;
mod demo;
mod dependencies;
mod derived;
mod export;
mod faults;
mod history;
mod independent;
mod ingest;
mod inputs;
mod inspect;
mod merge;
mod page_sample;
mod pages;
mod platforms;
mod probe;
mod queries;
mod query;
mod query_answers;
mod readers;
mod readme;
mod records;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod samples;
mod schema;
mod shares;
mod snapshot;
mod untrusted;
mod verify;
mod views;
mod width;
