//! What an input is that is no WARC, and what its owner may have meant to do.

use memchr::memchr;

/// Bytes looked at.
pub(super) const LOOKED_AT: usize = 4096;

/// What to do with an input that begins with `start` instead of ingesting it; none where nothing is
/// known.
pub(super) fn remedy(start: &[u8]) -> Option<&'static str> {
    let start = &start[..start.len().min(LOOKED_AT)];
    let known: [(&[u8], &str); 5] = [
        (
            b"SQLite format 3\0",
            "it is a SQLite database: write its table as CSV (sqlite3 -csv -header FILE 'SELECT ...')",
        ),
        (
            b"ARROW1",
            "it is an Arrow or Feather file: write it as Parquet",
        ),
        (
            b"Obj\x01",
            "it is an Avro file: write it as JSON Lines or Parquet",
        ),
        (b"ORC", "it is an ORC file: write it as Parquet"),
        (
            b"\xff\xfe",
            "it may be text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)",
        ),
    ];
    if let Some((_, remedy)) = known.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(remedy);
    }
    let is_text = !start.is_empty() && memchr(0, start).is_none();
    let mut lines = start.split(|byte| matches!(byte, b'\n' | b'\r'));
    if lines.clone().next().is_some_and(is_cdx) {
        Some(
            "it looks like a CDX index: ingest the WARC files that it names, or show a capture with \
             `robostat inspect FILE.warc.gz@OFFSET`",
        )
    } else if is_text && lines.any(is_user_agent) {
        Some("it looks like a robots.txt: `robostat check` and `robostat inspect` read these")
    } else if is_text && is_mostly_text(start) {
        Some("it is text; `robostat check` and `robostat inspect` read single robots.txt files")
    } else {
        None
    }
}

/// A header of CDX, or a line: SURT key, time of 14 digits.
fn is_cdx(line: &[u8]) -> bool {
    let mut fields = line.split(|byte| *byte == b' ');
    line.starts_with(b" CDX ")
        || fields.next().is_some_and(|key| key.contains(&b')'))
            && (fields.next())
                .is_some_and(|time| time.len() == 14 && time.iter().all(u8::is_ascii_digit))
}

fn is_user_agent(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let key = line.split(|byte| *byte == b':').next().unwrap_or_default();
    key.len() < line.len() && key.trim_ascii().eq_ignore_ascii_case(b"user-agent")
}

fn is_mostly_text(start: &[u8]) -> bool {
    let is_text = |byte: &&u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    start.iter().filter(is_text).count() == start.len() && start.utf8_chunks().count() <= 2
}

#[cfg(test)]
mod tests {
    use super::remedy;

    #[test]
    fn each_kind_of_file_gets_its_remedy() {
        for (start, words) in [
            (&b"User-agent: *\nDisallow: /\n"[..], "robots.txt:"),
            (b"\xef\xbb\xbf# x\r\n USER-AGENT : a\r\n", "robots.txt:"),
            (b" CDX N b a m s k r M S V g\n", "CDX"),
            (
                b"com,example)/robots.txt 20260801000000 {\"url\": 1}\n",
                "CDX",
            ),
            (b"# A project\n", "it is text"),
            (b"SQLite format 3\0\x10", "sqlite3 -csv"),
            (b"\xff\xfeu\0r\0l\0", "iconv"),
        ] {
            assert!(
                remedy(start).is_some_and(|it| it.contains(words)),
                "{words}"
            );
        }
        for start in [
            &b""[..],
            b"\0\0",
            b"\xff\xd8\xff\xe0\0\x10JFIF",
            b"\x89PNG\r\n\x1a\n",
        ] {
            assert_eq!(remedy(start), None);
        }
    }
}
