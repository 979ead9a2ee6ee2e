//! Cases, one for each clause of the dialects' sources, and properties of the reading of pages.

mod dialects;
mod malformed;
mod oracle;
mod promises;
