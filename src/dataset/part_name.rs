//! Names and paths of part files. A name contains the numbers of the commits whose rows the part
//! holds.

use super::label;
use super::tables::Table;

pub(super) fn part_name(first: u64, last: u64) -> String {
    if first == last {
        format!("part-{first:06}.parquet")
    } else {
        format!("part-{first:06}-{last:06}.parquet")
    }
}

/// The first and the last commit in the file name of `path`; `None` if it is not a part's name.
pub(super) fn commits_of(path: &str) -> Option<(u64, u64)> {
    let name = path.rsplit('/').next()?.strip_suffix(".parquet")?;
    let numbers = name.strip_prefix("part-")?;
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let number = |digits: &str| {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    Some((number(first)?, number(last)?))
}

/// Path within the dataset of the part of `table` that the commit numbered `sequence` adds.
pub(super) fn part_path(table: &Table, crawl: &str, sequence: u64) -> String {
    let name = part_name(sequence, sequence);
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
