//! Cases, one for each clause of the dialects' sources, and properties of the reading of pages.

mod cases;
mod dialects;
mod limits;
mod oracle;
mod promises;
