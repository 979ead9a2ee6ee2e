//! Rows of an index: one is one record, whatever its length says, and its numbers may have any
//! type.

use super::indexed::{Archive, PACKINGS};
use super::indexes::{chosen, damage};
use super::{gzip, lines, quick, run, verify};
use crate::support::folder::Folder;
use crate::support::program::assert_contains;

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
                verify(&out);

                // What another row chooses within the range is read, and nothing else.
                let both = row(first, given) + &row(fourth, of_fourth as u64);
                let index = folder.write("x.json", both.as_bytes());
                let out = folder.path(&format!("both-{filler}-{given}"));
                let summary = chosen(&index, folder.path("crawl"), &out, 3);
                assert_eq!(summary["captures"], 2, "{kind} {filler} {given}");
                verify(&out);
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
        verify(&out);
    }
}

#[test]
fn numbers_of_tables_may_have_any_type_that_is_one() {
    let folder = Folder::new();
    let archive = Archive::of(gzip, 5, 10);
    let path = folder.write("crawl/x.warc.gz", &archive.bytes);
    let whole = folder.path("whole");
    run(quick().arg(path).arg(&whole), 0);
    let index = folder.path("x.parquet");
    let write = |kind: &str, extra: &str| {
        let sql = format!(
            "COPY (SELECT url, warc_filename, warc_record_offset::{kind} AS warc_record_offset,
                 warc_record_length::{kind} AS warc_record_length
             FROM captures {extra}) TO '{}'",
            index.display()
        );
        lines(&whole, &sql);
    };
    for kind in [
        "DOUBLE",
        "DECIMAL(18, 3)",
        "DECIMAL(38, 0)",
        "DECIMAL(9, 0)",
        "VARCHAR",
        "HUGEINT",
    ] {
        write(kind, "");
        let out = folder.path(kind);
        let summary = chosen(&index, folder.path("crawl"), &out, 0);
        assert_eq!(summary["captures"], 5, "{kind}");
    }
    // As pandas writes a table in which one value is missing.
    let others = "UNION ALL SELECT 'https://n.example/robots.txt', 'x.warc.gz', NULL, 'nan'::DOUBLE
        UNION ALL SELECT 'https://f.example/robots.txt', 'x.warc.gz', 1.5, 7";
    write("DOUBLE", others);
    let out = folder.path("others");
    let summary = chosen(&index, folder.path("crawl"), &out, 3);
    assert_eq!(summary["captures"], 5);
    let found = damage(&out);
    assert!(
        found.len() == 2
            && found[0].contains("row 6: the offset is missing")
            && found[1].contains("row 7: the offset \"1.5\" is not a number"),
        "{found:#?}"
    );
    // Nothing of a column that has no numbers is refused row by row.
    let sql = format!(
        "COPY (SELECT 'x' AS warc_filename, 1 AS warc_record_offset, DATE '2026-08-01' AS \
         warc_record_length FROM range(9)) TO '{}'",
        index.display()
    );
    lines(&whole, &sql);
    let out = folder.path("none");
    let mut command = quick();
    let (_, said) = run(command.arg("--index").arg(&index).arg(&out), 1);
    assert_contains(
        &said,
        &[
            "the column warc_record_length has the type Date32",
            "warc_record_length::BIGINT AS warc_record_length",
        ],
    );
    assert_eq!(said.matches("warc_record_length").count(), 3, "{said}");
    assert!(!out.exists());
}

#[test]
fn an_index_that_brings_nothing_says_why() {
    let folder = Folder::new();
    let parquet = folder.path("none.parquet");
    let sql = format!(
        "COPY (SELECT 'x' AS warc_filename, 1 AS warc_record_offset, 2 AS warc_record_length
         WHERE false) TO '{}'",
        parquet.display()
    );
    let whole = folder.path("whole");
    run(
        quick()
            .arg(folder.write("a.warc", &Archive::of(<[u8]>::to_vec, 1, 10).bytes))
            .arg(&whole),
        0,
    );
    lines(&whole, &sql);
    let header = folder.write("x.cdx", b" CDX N b a m s k r M S V g\n");
    let bad = folder.write(
        "x.cdxj",
        b"k 20260801060000 {\"filename\": \"a.warc\", \"offset\": \"x\", \"length\": 1}\n",
    );
    for (index, words) in [
        (&parquet, "none.parquet: the index names no record to read"),
        (&header, "x.cdx: the index names no record to read"),
        (&bad, "x.cdxj: line 1: the offset \"x\" is not a number"),
    ] {
        let mut command = quick();
        let out = folder.path("out");
        let (_, said) = run(command.arg("-q").arg("--index").arg(index).arg(&out), 1);
        assert!(said.contains(words), "{said}");
        assert!(!out.exists());
    }
}
