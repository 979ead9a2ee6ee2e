//! The WARC record: its head, borrowed from the mapped file, and how to find the next one after
//! damage.
//!
//! In the flow this stands between the container, which gives bytes that begin at a record, and the
//! HTTP response, which is the record's block. Implements ISO 28500:2017 (WARC 1.1) and reads its
//! forerunners 0.17, 0.18 and 1.0. Every function is pure: a slice in, a value out.

pub mod date;
pub mod fields;
pub mod head;
pub mod record_type;
pub mod resync;

pub use date::parse_date;
pub use head::{Field, HeadError, MAX_HEAD_BYTES, RecordHead, Version};
pub use record_type::RecordType;
pub use resync::{RESYNC_OVERLAP_BYTES, begins_record, find_next_head};
