//! Names and paths of part files. A name has the commits whose rows the part holds.

use std::fmt;

use super::label;
use super::tables::Table;

/// The name of a part: `part-000012.parquet`, or `part-000003-000012.parquet` after the parts of
/// several commits were merged.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartName {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl PartName {
    /// The name that `path` ends with; none where that does not name a part.
    pub(super) fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?.strip_suffix(".parquet")?;
        let numbers = name.strip_prefix("part-")?;
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let number = |digits: &str| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_number)
        };
        Some(Self {
            first: number(first)?,
            last: number(last)?,
        })
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last {
            write!(f, "part-{first:06}.parquet")
        } else {
            write!(f, "part-{first:06}-{last:06}.parquet")
        }
    }
}

/// Path within the dataset of the part of `table` that the commit numbered `sequence` adds.
pub(super) fn part_path(table: &Table, crawl: &str, sequence: u64) -> String {
    let name = PartName {
        first: sequence,
        last: sequence,
    };
    match table.partition {
        None => format!("{}/{name}", table.name),
        Some(partition) => format!("{}/{partition}={}/{name}", table.name, label::escape(crawl)),
    }
}

/// Name of a part while it is staged: its path as one component.
pub(super) fn staged_name(path: &str) -> String {
    path.replace('/', "!")
}

#[cfg(test)]
mod tests;
