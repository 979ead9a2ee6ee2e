//! What a column of a table of fetches holds, and the names that it is recognised by.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::columns::Rank;
use crate::dataset::tables::values::word_enum;

word_enum! {
    /// What a column holds.
    pub Column {
        /// The URL that was fetched.
        Url = "url",
        /// The host whose robots.txt was fetched: a host, with or without port, or any URL of it.
        Host = "host",
        /// When.
        Time = "time",
        /// HTTP status code.
        Status = "status",
        /// The body, as text or bytes.
        Body = "body",
        BodyBase64 = "body_base64",
        /// Response headers.
        Headers = "headers",
        /// The Location header.
        Location = "location",
        /// The Content-Type header.
        ContentType = "content_type",
        /// IP address of the server.
        IpAddress = "ip_address",
    }
}

/// The names that a column is recognised by, with their places in the list of its names: the
/// surest has the place 0. Letters are compared without case, and `-`, `.`, spaces and changes of
/// case as `_`.
pub(super) static NAMES: LazyLock<HashMap<&str, (Column, Rank)>> = LazyLock::new(|| {
    let lines = include_str!("column_names.txt").lines();
    let names = lines.zip(Column::ALL).flat_map(|(line, column)| {
        let names = line
            .strip_prefix(column.name())
            .and_then(|it| it.strip_prefix(": "));
        let names = names.expect("the columns in their order").split(' ');
        names
            .zip(0..)
            .map(move |(name, place)| (name, (column, place)))
    });
    names.collect()
});

impl Column {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The column with the same content in another form. If the user names one of the two, the
    /// other is not recognised.
    pub(super) fn other_way(self) -> Option<Self> {
        match self {
            Self::Url => Some(Self::Host),
            Self::Host => Some(Self::Url),
            Self::Body => Some(Self::BodyBase64),
            Self::BodyBase64 => Some(Self::Body),
            _ => None,
        }
    }
}
