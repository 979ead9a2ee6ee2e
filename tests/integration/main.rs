//! Real runs of the program, one module per subject; `support` has what they share.

mod support;

mod bombs;
mod cases;
mod compact;
mod faults;
mod independent;
mod ingest;
mod inspect;
mod kills;
mod limits;
mod merge;
mod output;
mod queries;
mod readme;
mod records;
mod report;
mod report_sentences;
mod samples;
mod together;
mod verdicts;
