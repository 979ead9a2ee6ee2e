//! The words of each column with a fixed set: the names of the enum that is written into it.

use super::word_enum;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub name: &'static str,
    /// What the word means, in plain text; `None` if the column's comment explains it.
    pub meaning: Option<String>,
}

impl Word {
    /// A word with the text of its documentation comment, as plain text.
    pub(super) fn explained(name: &'static str, doc: &str) -> Self {
        let meaning = Some(tidy(&doc.replace('`', "")));
        Self { name, meaning }
    }
}

impl From<&'static str> for Word {
    fn from(name: &'static str) -> Self {
        Self {
            name,
            meaning: None,
        }
    }
}

pub(super) fn words(words: impl IntoIterator<Item = impl Into<Word>>) -> Vec<Word> {
    let mut words: Vec<Word> = words.into_iter().map(Into::into).collect();
    words.dedup(); // variants with one name
    words
}

/// The words that a column may hold; `None` if it may hold any values.
pub type Words = Option<fn() -> Vec<Word>>;

/// The names of all variants of an enum, except the variant after `not`: the compiler checks that
/// none is missing. After `some`, it does not.
macro_rules! names {
    (some $type:ident: $($variant:ident)+) => {
        vec![ $( $type::$variant.name() ),+ ]
    };
    ($type:ident: $($variant:ident)+ $(, not $other:ident)?) => {{
        const _: fn($type) = |it| match it {
            $( $type::$variant )|+ $( | $type::$other )? => (),
        };
        names!(some $type: $($variant)+)
    }};
}
pub(super) use names;

word_enum! {
    /// The kind of an input, as in `inputs.container`.
    pub InputKind {
        Plain = "plain",
        Gzip = "gzip",
        Zstd = "zstd",
        Arc = "arc",
        ArcGzip = "arc.gz",
        ArcZstd = "arc.zst",
        Wacz = "wacz",
        Zip = "zip",
        JsonLines = "jsonl",
        JsonLinesGzip = "jsonl.gz",
        JsonLinesZstd = "jsonl.zst",
        Csv = "csv",
        CsvGzip = "csv.gz",
        CsvZstd = "csv.zst",
        Tsv = "tsv",
        TsvGzip = "tsv.gz",
        TsvZstd = "tsv.zst",
        Parquet = "parquet",
        Folder = "folder",
        Tar = "tar",
        TarGzip = "tar.gz",
        TarZstd = "tar.zst",
        Index = "index",
        None = "none",
    }
}

/// A comment as one line.
pub(in crate::dataset) fn tidy(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}
