//! A row of an index is one record, whatever its length says. `tests/cases/remote/indexes.md` has
//! more of indexes.

use std::path::Path;

use super::indexed::{Archive, PACKINGS};
use super::{lines, quick, run};
use crate::support::folder::Folder;
use crate::support::program::assert_consistent;

/// An ingest of the records that `index` names, below `base`.
fn chosen(
    index: &Path,
    base: impl AsRef<std::ffi::OsStr>,
    out: &Path,
    code: i32,
) -> serde_json::Value {
    let mut command = quick();
    command.arg("--index").arg(index).arg("--base").arg(base);
    run(command.arg(out), code).0
}

fn damage(out: &Path) -> Vec<String> {
    let sql = "SELECT warc_filename, \"offset\", length, kind, message FROM damage ORDER BY ALL";
    lines(out, sql)
}

#[test]
fn a_row_is_one_record_however_long_it_is() {
    for (kind, pack) in PACKINGS {
        let folder = Folder::new();
        // Pages of 300 KiB in between: a range may be longer than what is read at once.
        for (filler, number) in [(10, 12), (300_000, 6)] {
            let archive = Archive::of(pack, number, filler);
            let name = format!("{filler}.warc");
            folder.write(&format!("crawl/{name}"), &archive.bytes);
            let (_, first, length) = archive.records[0];
            let (_, fourth, of_fourth) = archive.records[3];
            let spans = fourth + of_fourth - first;
            for given in [spans as u64, 1 << 62] {
                let row = |offset: usize, length: u64| {
                    format!(
                        "{{\"url\": \"https://a.example/robots.txt\", \"filename\": \"{name}\", \
                         \"offset\": {offset}, \"length\": {length}}}\n"
                    )
                };
                let index = folder.write("x.json", row(first, given).as_bytes());
                let out = folder.path(&format!("out-{filler}-{given}"));
                let summary = chosen(&index, folder.path("crawl"), &out, 3);
                assert_eq!(summary["captures"], 1, "{kind} {filler} {given}");
                let end = archive
                    .bytes
                    .len()
                    .min(first.saturating_add(usize::try_from(given).unwrap_or(usize::MAX)));
                let place = format!(
                    "{name}|{}|{}|bad_range|the index gives {given} bytes to the record before, \
                     which has {length}",
                    first + length,
                    end - first - length
                );
                let found = damage(&out);
                assert!(
                    found.len() == 1 && found[0].starts_with(&place),
                    "{kind} {place}\n{found:#?}"
                );
                assert_consistent(&out);

                // What another row chooses within the range is read, and nothing else.
                let both = row(first, given) + &row(fourth, of_fourth as u64);
                let index = folder.write("x.json", both.as_bytes());
                let out = folder.path(&format!("both-{filler}-{given}"));
                let summary = chosen(&index, folder.path("crawl"), &out, 3);
                assert_eq!(summary["captures"], 2, "{kind} {filler} {given}");
                assert_consistent(&out);
            }
        }
    }
}

#[test]
fn damage_brings_no_record_that_no_row_chooses() {
    for (_, pack) in PACKINGS {
        let folder = Folder::new();
        let archive = Archive::of(pack, 6, 10);
        folder.write("crawl/x.warc", &archive.bytes);
        // From three bytes after the start of a record to the end of the second record after it.
        let (start, end) = (archive.records[1].1 + 3, archive.records[4].1);
        let row = format!(
            "{{\"filename\": \"x.warc\", \"offset\": {start}, \"length\": {}}}\n",
            end - start
        );
        let index = folder.write("x.json", row.as_bytes());
        let out = folder.path("out");
        let summary = chosen(&index, folder.path("crawl"), &out, 3);
        assert_eq!(summary["captures"], 0);
        let sql = "SELECT sum(length), bool_and(kind = 'bad_range') FROM damage";
        assert_eq!(lines(&out, sql), [format!("{}|true", end - start)]);
        assert_consistent(&out);
    }
}
