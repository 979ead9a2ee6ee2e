//! The kind of a WARC record, ISO 28500:2017 §6.

use crate::names::names;

names! {
    /// The kinds of record, ISO 28500:2017 §6.
    pub enum RecordType {
        /// What the file is: the crawl, the software.
        Warcinfo = "warcinfo",
        /// A complete response, with the protocol's own head.
        Response = "response",
        /// A resource without protocol head (files, FTP, crawler output).
        Resource = "resource",
        /// A complete request.
        Request = "request",
        /// Something about another record.
        Metadata = "metadata",
        /// A capture whose content is the same as an earlier one's.
        Revisit = "revisit",
        /// Another form of a record's content, such as extracted text.
        Conversion = "conversion",
        /// A further segment of a segmented record.
        Continuation = "continuation",
        /// A type that the standard does not name, or none at all.
        Other = "other",
    }
}
