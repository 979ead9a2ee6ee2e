//! What the columns of a table of fetches hold: recognised by their names, or as `--columns` says.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::dataset::tables::word_enum;

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

/// How sure it is that a column holds something; the least wins.
pub(super) type Rank = usize;

/// A value of `--columns`: what a column holds, and its name in the table. An empty name: no column
/// holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenColumn {
    /// What it holds.
    pub column: Column,
    /// Its name in the table.
    pub name: String,
}

impl FromStr for GivenColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, name) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` is not of the form url=site"))?;
        let mut columns = Column::ALL.into_iter();
        let column = columns.find(|column| column.name() == word.trim());
        let column = column.ok_or_else(|| {
            let words = Column::ALL.map(Column::name).join(", ");
            format!("`{word}` is not one of {words}")
        })?;
        Ok(Self {
            column,
            name: name.trim().to_owned(),
        })
    }
}

impl fmt::Display for GivenColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", self.column.name(), self.name)
    }
}

/// The rule by which the columns of a table are recognised.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(Vec<GivenColumn>);

impl Columns {
    /// What `--columns` says, and for the rest the usual names.
    pub fn new(given: Vec<GivenColumn>) -> Self {
        Self(given)
    }

    /// What the column called `name` may hold.
    pub(super) fn of_name(&self, name: &str) -> Option<(Column, Rank)> {
        let given = self.0.iter();
        if let Some(given) = given.clone().find(|it| it.name == name && !name.is_empty()) {
            return Some((given.column, 0));
        }
        let (column, place) = *NAMES.get(&*normalised(name))?;
        let is_given =
            |it: &GivenColumn| it.column == column || Some(it.column) == column.other_way();
        (!given.clone().any(is_given)).then_some((column, place + 1))
    }

    /// Which of the columns with these names holds what: a place in `names` for each [`Column`].
    /// The inner result is what makes them no table of fetches.
    pub(super) fn resolve(&self, names: &[String]) -> Result<Places, ColumnsError> {
        let mut places: Places = [None; Column::COUNT];
        let mut ranks = [Rank::MAX; Column::COUNT];
        for (place, name) in names.iter().enumerate() {
            let Some((column, rank)) = self.of_name(name) else {
                continue;
            };
            let at = column as usize;
            if rank == ranks[at] {
                return Err(ColumnsError::Twice(name.clone()));
            }
            if rank < ranks[at] {
                (places[at], ranks[at]) = (Some(place), rank);
            }
        }
        let missing = (self.0.iter()).find(|it| !it.name.is_empty() && !names.contains(&it.name));
        if let Some(given) = missing {
            return Err(ColumnsError::Missing(given.to_string()));
        }
        let has = |columns: &[Column]| columns.iter().any(|it| places[*it as usize].is_some());
        if has(&[Column::Url, Column::Host])
            && has(&[Column::Body, Column::BodyBase64, Column::Status])
        {
            Ok(places)
        } else {
            Err(ColumnsError::NoFetches)
        }
    }
}

/// For each [`Column`] its place in a row.
pub(super) type Places = [Option<usize>; Column::COUNT];

/// Why columns are not a table of fetches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ColumnsError {
    /// Neither URL nor host, or neither body nor status.
    NoFetches,
    /// Two columns have this name or names of the same meaning.
    Twice(String),
    /// `--columns` names a column that is missing.
    Missing(String),
}

impl ColumnsError {
    /// The message for a table with columns of these names.
    pub(super) fn message(&self, names: &[String]) -> String {
        let names = names[..names.len().min(40)].join(", ");
        match self {
            Self::NoFetches => format!(
                "no columns for the URL or host, and for the body or status, are known among: \
                 {names}; name them, as in --columns url=site,body=content"
            ),
            Self::Twice(name) => format!(
                "two columns are called `{name}` or alike; rename one, or name those that are \
                 meant with --columns"
            ),
            Self::Missing(given) => {
                format!("--columns {given} does not match any of the columns: {names}")
            }
        }
    }
}

/// A name in lower case, its words joined by `_`.
fn normalised(name: &str) -> String {
    let mut normal = String::with_capacity(name.len() + 4);
    let mut is_after_lower = false;
    for character in name.trim().chars() {
        match character {
            ' ' | '-' | '.' | '_' => normal.push('_'),
            _ => {
                if character.is_ascii_uppercase() && is_after_lower {
                    normal.push('_');
                }
                normal.push(character.to_ascii_lowercase());
            }
        }
        is_after_lower = character.is_ascii_lowercase();
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |question, [text, given, _]| {
            if question == "given" {
                return text.parse::<GivenColumn>().expect_err("not a column");
            }
            let names = text.split(", ").filter(|name| !name.is_empty());
            let names: Vec<String> = names.map(str::to_owned).collect();
            let given = given.split_whitespace();
            let given = given.map(|it| it.parse().expect("a column"));
            match Columns::new(given.collect()).resolve(&names) {
                Ok(places) => {
                    let found = Column::ALL.into_iter().zip(places);
                    let found = found.filter_map(|(column, place)| {
                        place.map(|place| format!("{} {place}", column.name()))
                    });
                    found.collect::<Vec<_>>().join(", ")
                }
                Err(error) => error.message(&names),
            }
        });
    }

    #[test]
    fn every_column_has_its_place() {
        for (index, column) in Column::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, index, "{column:?}");
            assert!(NAMES.values().any(|named| *named == (column, 0)));
        }
        for name in NAMES.keys() {
            assert_eq!(normalised(name), *name);
        }
        let words = include_str!("column_names.txt").split_whitespace().count();
        assert_eq!(
            NAMES.len() + Column::COUNT,
            words,
            "no name is in two lists"
        );
    }
}
