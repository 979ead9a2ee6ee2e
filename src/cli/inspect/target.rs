//! What the argument of `inspect` names.

use super::{Path, PathBuf, RecordLocation};

/// What is to be inspected.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) enum Target {
    /// A robots.txt; `-` for standard input.
    File(PathBuf),
    /// A record of a WARC file.
    Record {
        path: PathBuf,
        /// Where in it.
        place: RecordLocation,
    },
}

impl Target {
    /// Reads `argument`. An existing path is a file, whatever its name looks like.
    pub(in crate::cli) fn of(argument: &Path) -> Self {
        if argument.exists() {
            return Self::File(argument.to_owned());
        }
        match record(argument) {
            Some((path, place)) => Self::Record { path, place },
            None => Self::File(argument.to_owned()),
        }
    }
}

/// `FILE@OFFSET` and `FILE@OFFSET+INNER`.
fn record(argument: &Path) -> Option<(PathBuf, RecordLocation)> {
    let name = argument.to_str()?;
    let (path, place) = name.rsplit_once('@')?;
    let (offset, inner_offset) = place.split_once('+').unwrap_or((place, "0"));
    let number = |digits: &str| {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| digits.parse().ok()).flatten()
    };
    let place = RecordLocation {
        offset: number(offset)?,
        inner_offset: number(inner_offset)?,
    };
    (!path.is_empty()).then(|| (PathBuf::from(path), place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Option<(String, u64, u64)> {
        let (path, place) = record(Path::new(name))?;
        let path = path.to_string_lossy().into_owned();
        Some((path, place.offset, place.inner_offset))
    }

    #[test]
    fn records_are_named_by_their_offsets() {
        assert_eq!(place("a.warc@12"), Some(("a.warc".to_owned(), 12, 0)));
        assert_eq!(place("a@b@12+7"), Some(("a@b".to_owned(), 12, 7)));
        for name in ["a", "a@", "a@b", "a@+1", "a@1+", "a@-1", "a@1+2+3", "@1"] {
            assert_eq!(place(name), None, "{name}");
        }
        assert_eq!(place("a@99999999999999999999"), None, "no such number");
    }
}
