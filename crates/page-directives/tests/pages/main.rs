//! Cases, one for each clause of the dialects' sources, and properties of reading pages.

mod cases;
mod dialects;
mod limits;
mod oracle;
mod promises;
