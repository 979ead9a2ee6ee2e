//! Blocks of type `application/warc-fields`: the body of a warcinfo record.
//!
//! Implements ISO 28500:2017 §6.2 (`warcinfo`) with the named-field syntax of §4. The crawl
//! label (`isPartOf`) is read here; Common Crawl and Heritrix both write it.

use crate::header_fields::{FieldLines, FieldValue};

/// The first value of the field `name`, letters compared without case. A blank line does not end
/// the search, since some writers put blank lines between fields.
#[must_use]
pub fn find_field<'a>(block: &'a [u8], name: &str) -> Option<FieldValue<'a>> {
    FieldLines::new(block, 0).values_of(name).next()
}

/// The label of the crawl that a file belongs to (`isPartOf`); `None` where it is missing or empty.
#[must_use]
pub fn is_part_of(block: &[u8]) -> Option<FieldValue<'_>> {
    find_field(block, "ispartof").filter(|value| !value.raw().is_empty())
}
