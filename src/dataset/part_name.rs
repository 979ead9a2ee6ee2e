//! Names of part files: the commits whose rows a part holds.

use std::fmt;

/// The name of a part: `part-000012.parquet`, or `part-000003-000012.parquet` after the parts of
/// several commits were merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartName {
    first: u64,
    last: u64,
}

impl PartName {
    /// The name of the part that the commit numbered `sequence` adds.
    pub(super) fn new(sequence: u64) -> Self {
        Self {
            first: sequence,
            last: sequence,
        }
    }

    /// The name that `path`, with `/` between its components, ends with; none where that is no
    /// part's.
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

    /// The name of the part that holds the rows of this one, of `last` and of all between.
    pub(super) fn through(self, last: Self) -> Self {
        Self {
            first: self.first,
            last: last.last,
        }
    }

    /// The last commit whose rows the part holds.
    pub(super) fn last(self) -> u64 {
        self.last
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

#[cfg(test)]
mod tests {
    use super::PartName;
    use crate::cases::{check, optional};

    #[test]
    fn cases() {
        check(file!(), |_, [path, last, _]| {
            let name = PartName::of(path);
            if let Some(name) = name {
                assert!(path.ends_with(&name.to_string()), "{path} is {name}");
            }
            optional(name.map(|name| name.through(PartName::of(last).unwrap_or(name))))
        });
    }
}
