//! Archives of other kinds than WARC have the same captures; `tests/cases/arc.md` has odd ones.

use crate::support::duckdb;
use crate::support::program::number;

use super::{Fetch, Folder, captures, fetches, gzip, response, tables, warc, zstd};

/// The records of an ARC file of this version, the head of the file first.
pub(super) fn arc_records(fetches: &[Fetch], version: u8) -> Vec<Vec<u8>> {
    let fields_of_2 = "Result-code Checksum Location Offset Filename ";
    let (fields, only_in_2) = match version {
        1 => ("", ""),
        _ => (fields_of_2, " 200 - - 0 made.arc"),
    };
    let about = format!(
        "{version} 0 Made up\nURL IP-address Archive-date Content-type {fields}Archive-length\n\n"
    );
    let record = |url: &str, time: &str, block: &[u8]| {
        let length = block.len();
        let line = format!("{url} 0.0.0.0 {time} text/plain{only_in_2} {length}\n");
        [line.as_bytes(), block, b"\n"].concat()
    };
    let head = record("filedesc://made.arc", "20260801000000", about.as_bytes());
    let records = fetches.iter().map(|fetch| {
        let time: String = fetch.time.chars().filter(char::is_ascii_digit).collect();
        record(&fetch.url, &time, &response(fetch))
    });
    [head].into_iter().chain(records).collect()
}

#[test]
fn arc_files_are_the_same_dataset() {
    let folder = Folder::new();
    let fetches = fetches();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&fetches), &["--keep-bodies"], 0);
    let (tables_expected, captures_expected) = (tables(&expected), captures(&expected));
    for version in [1, 2] {
        let records = arc_records(&fetches, version);
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        for (name, bytes, container) in [
            ("a.arc", records.concat(), "arc"),
            ("no-name", members.clone(), "arc.gz"),
            ("whole.arc.gz", gzip(&records.concat()), "arc.gz"),
            ("a.arc.zst", zstd(&records.concat()), "arc.zst"),
        ] {
            let (summary, out) = folder.ingest_file(name, &bytes, &["--keep-bodies", "--force"], 0);
            assert_eq!(number(&summary, "records"), records.len() as u64, "{name}");
            assert_eq!(captures(&out), captures_expected, "{name}");
            assert!(tables(&out) == tables_expected, "{name}");
            let found = duckdb::of(&out, "SELECT container, crawl FROM inputs");
            assert_eq!(found, [format!("{container}|default")], "{name}");
            std::fs::remove_dir_all(out).expect("a dataset");
        }
    }
}
