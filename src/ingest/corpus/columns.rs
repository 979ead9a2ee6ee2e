//! What the columns of a table of fetches hold: recognised by their names, or given by `--columns`.

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
        Time = "time",
        Status = "status",
        /// The body, as text or bytes.
        Body = "body",
        BodyBase64 = "body_base64",
        Headers = "headers",
        Location = "location",
        ContentType = "content_type",
        IpAddress = "ip_address",
    }
}

/// The names by which a column is recognised, with their ranks: 0 is the surest. Case is ignored,
/// and `-`, `.`, spaces and changes of case count as `_`.
pub(super) static NAMES: LazyLock<HashMap<&str, (Column, Rank)>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for line in include_str!("column_names.txt").lines() {
        let (column, words) = line.split_once(": ").expect("a column and its names");
        let column = Column::named(column).expect("a column");
        names.extend((words.split(' ').zip(0..)).map(|(name, place)| (name, (column, place))));
    }
    names
});

impl Column {
    pub const COUNT: usize = Self::ALL.len();

    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.name() == word)
    }

    /// The first of the columns with the same content in other forms. If the user names one of
    /// them, the others are not recognised.
    fn content(self) -> Self {
        match self {
            Self::Host => Self::Url,
            Self::BodyBase64 => Self::Body,
            column => column,
        }
    }
}

/// How unsure it is that a column has this content; the lowest rank wins.
pub(super) type Rank = usize;

/// A value of `--columns`: what a column holds, and its name; empty if no column holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenColumn {
    pub column: Column,
    pub name: String,
}

impl FromStr for GivenColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, name) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` is not of the form url=site"))?;
        let column = Column::named(word.trim()).ok_or_else(|| {
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

/// How the columns of a table are recognised: by `--columns`, and the rest by the usual names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(pub Vec<GivenColumn>);

/// For each [`Column`] its place in a row.
pub(super) type Places = [Option<usize>; Column::COUNT];

impl Columns {
    pub(super) fn of_name(&self, name: &str) -> Option<(Column, Rank)> {
        let mut given = self.0.iter();
        if let Some(given) = given.clone().find(|it| it.name == name && !name.is_empty()) {
            return Some((given.column, 0));
        }
        let (column, place) = *NAMES.get(&*normalised(name))?;
        let is_given = |it: &GivenColumn| it.column.content() == column.content();
        (!given.any(is_given)).then_some((column, place + 1))
    }

    /// Fails if the columns do not make a table of fetches; the message lists the `known` names.
    pub(super) fn resolve(&self, names: &[String], known: &[String]) -> Result<Places, String> {
        let known = || known[..known.len().min(40)].join(", ");
        let mut places: Places = [None; Column::COUNT];
        let mut ranks = [Rank::MAX; Column::COUNT];
        for (place, name) in names.iter().enumerate() {
            let Some((column, rank)) = self.of_name(name) else {
                continue;
            };
            let at = column as usize;
            if rank == ranks[at] {
                return Err(format!(
                    "two columns are called `{name}` or similar; rename one, or choose one with \
                     --columns"
                ));
            }
            if rank < ranks[at] {
                (places[at], ranks[at]) = (Some(place), rank);
            }
        }
        let missing = (self.0.iter()).find(|it| !it.name.is_empty() && !names.contains(&it.name));
        if let Some(given) = missing {
            let known = known();
            return Err(format!(
                "--columns {given} does not match any of the columns: {known}"
            ));
        }
        let has = |columns: &[Column]| columns.iter().any(|it| places[*it as usize].is_some());
        if has(&[Column::Url, Column::Host])
            && has(&[Column::Body, Column::BodyBase64, Column::Status])
        {
            return Ok(places);
        }
        Err(format!(
            "no URL or host column, or no body or status column, is recognised among: {}; name \
             them, as in --columns url=site,body=content",
            known()
        ))
    }
}

/// A name in lower case, its words joined by `_`.
pub(super) fn normalised(name: &str) -> String {
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
