//! Large archives that differ in a few bytes: copies, repaired copies, changed copies. Their
//! fingerprints cover samples, and one byte between the samples makes another archive.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, ingest, number, robostat, text};
use crate::support::warc::{self, Packing};

/// Captures of a large archive.
const CAPTURES: usize = 90;
/// Bytes of the comment in each: together more than the 16 MiB that a fingerprint covers.
const COMMENT_BYTES: usize = 300_000;

/// The records of a large archive.
fn records() -> Vec<Vec<u8>> {
    records_of(COMMENT_BYTES)
}

/// Records that a comment of so many bytes, which cannot be compressed much, makes long.
fn records_of(comment_bytes: usize) -> Vec<Vec<u8>> {
    let mut state = 1_u64;
    let mut letter = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        b'!' + u8::try_from((state >> 33) % 90).expect("a letter")
    };
    let record = |number: usize| {
        let mut body = format!("User-agent: *\nDisallow: /{number}\n").into_bytes();
        for _ in 0..comment_bytes / 100 {
            body.push(b'#');
            body.extend((0..98).map(|_| letter()));
            body.push(b'\n');
        }
        warc::response(
            number,
            &format!("http://h{number}.example/robots.txt"),
            &body,
        )
    };
    (0..CAPTURES).map(record).collect()
}

/// An offset in the middle of an archive that no sample covers.
fn between_samples(archive: &[u8]) -> usize {
    const MIB: usize = 1 << 20;
    let distance = (archive.len() - 2 * MIB) / 224;
    assert!(distance > (66 << 10) + 2000, "samples cover everything");
    MIB + 100 * distance + (66 << 10)
}

/// The archive with another byte between the samples.
fn changed(archive: &[u8]) -> Vec<u8> {
    let mut changed = archive.to_vec();
    let at = between_samples(archive);
    // In a plain archive a letter of a comment.
    changed[at] = if changed[at] == b'a' { b'b' } else { b'a' };
    changed
}

/// The number of captures and of inputs.
#[track_caller]
fn counts(out: &Path) -> String {
    robostat(["verify"]).arg(out).succeed();
    let sql = "SELECT (SELECT count(*) FROM captures), (SELECT count(*) FROM inputs)";
    duckdb::of(out, sql).join("\n")
}

fn is_skipped(summary: &serde_json::Value) -> bool {
    number(summary, "inputs_ingested_before") == 1 && number(summary, "inputs") == 0
}

/// A folder with a damaged archive and, elsewhere, the archive as it was.
fn damaged(packing: Packing) -> (Folder, PathBuf, PathBuf) {
    let folder = Folder::new();
    let intact = packing.pack(&records());
    let mut bytes = intact.clone();
    let at = between_samples(&intact);
    bytes[at..at + 2000].fill(0);
    let damaged = folder.write("a/crawl.warc.gz", &bytes);
    let intact = folder.write("b/mended.warc.gz", &intact);
    (folder, damaged, intact)
}

#[test]
fn a_repaired_copy_replaces_a_damaged_archive() {
    let (folder, damaged, intact) = damaged(Packing::GzipPerRecord);
    let out = folder.path("out");
    ingest(&[], &damaged, &out, 3);
    let summary = ingest(&[], &intact, &out, 0);
    assert_eq!(number(&summary, "inputs_replaced"), 1);
    assert_eq!(counts(&out), format!("{CAPTURES}|1"));
    assert!(is_skipped(&ingest(&[], &intact, &out, 0)));
}

/// Damage that changes the size, or bytes that the fingerprint covers.
#[test]
fn a_repaired_copy_is_known_by_what_both_have() {
    let [plain, gzip, zstd] = [
        Packing::Plain,
        Packing::GzipPerRecord,
        Packing::ZstdPerRecord,
    ]
    .map(|packing| packing.pack(&records_of(2000)));
    let half = gzip.len() / 2;
    let cases = [
        (&plain, plain[..plain.len() / 2].to_vec()),
        (&zstd, zstd[..zstd.len() / 2].to_vec()),
        (
            &gzip,
            [&gzip[..half], &[0; 4000], &gzip[half + 4000..]].concat(),
        ),
        (&gzip, [&gzip[..half], &vec![0; gzip.len() - half]].concat()),
        (&gzip, [&gzip[..half], &gzip[half + 3..]].concat()),
        (&gzip, [&[0; 5000], &gzip[5000..]].concat()),
    ];
    for (number, (intact, damaged)) in cases.iter().enumerate() {
        let folder = Folder::new();
        let [bad, good, both] = ["bad.out", "good.out", "both.out"].map(|it| folder.path(it));
        ingest(&[], &folder.write("bad/crawl.warc", damaged), &bad, 3);
        let mended = folder.write("good/mended.warc", intact);
        ingest(&[], &mended, &good, 0);
        let mut sources = [&bad, &good];
        sources.rotate_left(number % 2);
        let mut merge = robostat(["merge", "-q"]);
        merge.args(sources).arg("-o").arg(&both).succeed();
        assert_eq!(counts(&both), format!("{CAPTURES}|1"), "{number}");
        let summary = ingest(&[], &mended, &bad, 0);
        assert_eq!(summary["inputs_replaced"], 1, "{number}");
        assert_eq!(counts(&bad), format!("{CAPTURES}|1"), "{number}");
    }
}

/// A download of known size may be laid out in full before it comes: what is missing is zeros.
#[test]
fn an_unfinished_download_is_damaged_though_its_end_is_zeros() {
    for packing in [Packing::Plain, Packing::GzipPerRecord] {
        let records = records_of(60_000);
        let (some, all) = (packing.pack(&records[..40]), packing.pack(&records));
        let folder = Folder::new();
        let out = folder.path("out");
        let file = folder.write("crawl.warc", &some);
        let opened = File::options().append(true).open(&file).expect("a file");
        opened
            .set_len(some.len() as u64 + (1 << 20))
            .expect("space");
        ingest(&[], &file, &folder.path("padded"), 0);
        assert!(all.len() > some.len() + (1 << 20));
        opened.set_len(all.len() as u64).expect("space");
        ingest(&[], &file, &out, 3);
        assert_eq!(counts(&out), "40|1");
        let damage = duckdb::of(&out, "SELECT kind, length FROM damage");
        assert_eq!(damage, [format!("truncated|{}", all.len() - some.len())]);
        // Finished, with the same size and time.
        let time = fs::metadata(&file).and_then(|it| it.modified());
        fs::write(&file, &all).expect("space");
        opened.set_modified(time.expect("a time")).expect("a time");
        ingest(&[], &file, &out, 0);
        assert_eq!(counts(&out), format!("{CAPTURES}|1"), "{packing:?}");
    }
}

#[test]
fn a_copy_that_is_damaged_too_replaces_nothing() {
    let archive = Packing::GzipPerRecord.pack(&records_of(2000));
    let (folder, middle) = (Folder::new(), archive.len() / 2);
    let out = folder.path("out");
    ingest(&[], &folder.write("a.warc.gz", &archive[..middle]), &out, 3);
    let longer = folder.write("b.warc.gz", &archive[..middle + 4000]);
    let mut command = robostat(["ingest"]);
    let output = command.args([&longer, &out]).output().expect("a program");
    let said = text(&output);
    assert!(said.contains("another copy of a.warc.gz"), "{said}");
    assert!(counts(&out).ends_with("|2"));
    // The whole replaces both.
    ingest(&[], &folder.write("c.warc.gz", &archive), &out, 0);
    assert_eq!(counts(&out), format!("{CAPTURES}|1"));
}

#[test]
fn an_archive_repaired_in_place_is_read_again() {
    let (folder, damaged, intact) = damaged(Packing::ZstdPerRecord);
    let out = folder.path("out");
    ingest(&[], &damaged, &out, 3);
    assert!(is_skipped(&ingest(&[], &damaged, &out, 0)));
    // Same size and time.
    let time = fs::metadata(&damaged).and_then(|it| it.modified());
    fs::copy(&intact, &damaged).expect("space");
    let file = File::options().append(true).open(&damaged);
    let file = file.expect("a file");
    file.set_modified(time.expect("a time")).expect("a time");
    let summary = ingest(&[], &damaged, &out, 0);
    assert_eq!(number(&summary, "inputs_replaced"), 1);
    assert_eq!(counts(&out), format!("{CAPTURES}|1"));
}

#[test]
fn one_changed_byte_makes_another_archive() {
    for packing in [Packing::Plain, Packing::ZstdPerRecord] {
        let folder = Folder::new();
        let out = folder.path("out");
        let archive = packing.pack(&records());
        let first = folder.write("a/crawl.warc", &archive);
        ingest(&[], &first, &out, 0);
        let copy = folder.write("b/crawl.warc", &archive);
        assert!(is_skipped(&ingest(&[], &copy, &out, 0)));
        // In zstd the change is damage.
        let other = folder.write("c/crawl.warc", &changed(&archive));
        let code = if packing == Packing::Plain { 0 } else { 3 };
        let summary = ingest(&[], &other, &out, code);
        let captures = number(&summary, "captures");
        assert_eq!(number(&summary, "inputs_replaced"), 0, "{packing:?}");
        let all = CAPTURES as u64 + captures;
        assert_eq!(counts(&out), format!("{all}|2"), "{packing:?}");
        let again = folder.write("d/crawl.warc", &changed(&archive));
        assert!(is_skipped(&ingest(&[], &again, &out, 0)), "{packing:?}");
        assert!(is_skipped(&ingest(&[], &copy, &out, 0)), "{packing:?}");
    }
}

#[test]
fn one_run_tells_copies_from_changed_archives() {
    let folder = Folder::new();
    let archive = Packing::Plain.pack(&records());
    folder.write("in/1.warc", &archive);
    folder.write("in/2.warc", &archive);
    folder.write("in/3.warc", &changed(&archive));
    let out = folder.path("out");
    let summary = ingest(&[], &folder.path("in"), &out, 0);
    assert_eq!(number(&summary, "inputs_ingested_before"), 1);
    assert_eq!(counts(&out), format!("{}|2", 2 * CAPTURES));
}

/// The digest of an archive of pages that are passed over is not known: its copy is read.
#[test]
fn a_copy_of_a_plain_archive_of_pages_counts_once() {
    let folder = Folder::new();
    let page = |number: usize| {
        let body = vec![b'x'; COMMENT_BYTES];
        warc::response(number, &format!("http://h{number}.example/"), &body)
    };
    let robots = |number: usize| {
        let url = format!("http://h{number}.example/robots.txt");
        warc::response(1000 + number, &url, b"User-agent: *\nDisallow: /\n")
    };
    let both = (0..CAPTURES).flat_map(|number| [page(number), robots(number)]);
    let archive = both.collect::<Vec<_>>().concat();
    let out = folder.path("out");
    for (name, is_known) in [("a.warc", false), ("b.warc", false), ("c.warc", true)] {
        let summary = ingest(&[], &folder.write(name, &archive), &out, 0);
        assert_eq!(is_skipped(&summary), is_known, "{name}");
        assert_eq!(counts(&out), format!("{CAPTURES}|1"), "{name}");
    }
    // A damaged copy takes nothing away.
    let mut damaged = archive.clone();
    let at = between_samples(&archive);
    let head = memchr::memmem::find(&damaged[at..], b"WARC/1.0").expect("a record");
    damaged[at + head..at + head + 8].fill(b'?');
    let out = folder.path("other");
    ingest(&[], &folder.path("a.warc"), &out, 0);
    ingest(&[], &folder.write("d.warc", &damaged), &out, 3);
    let captures = counts(&out);
    let captures = captures.split('|').next().expect("a number");
    assert!(captures.parse::<usize>().expect("a number") >= CAPTURES);
}

#[test]
fn a_merge_takes_the_repaired_copy() {
    let (folder, damaged, intact) = damaged(Packing::ZstdPerRecord);
    let [bad, good] = ["bad", "good"].map(|name| folder.path(name));
    ingest(&[], &damaged, &bad, 3);
    ingest(&[], &intact, &good, 0);
    let merge = |sources: [&Path; 2], out: &Path| {
        let mut command = robostat(["merge"]);
        let output = command.args(sources).arg("-o").arg(out).output();
        let output = output.expect("a program");
        assert!(output.status.success(), "{}", text(&output));
        assert!(text(&output).contains("is damaged"), "{}", text(&output));
    };
    for (name, sources) in [("1", [&bad, &good]), ("2", [&good, &bad])] {
        let out = folder.path(name);
        merge(sources.map(PathBuf::as_path), &out);
        assert_eq!(counts(&out), format!("{CAPTURES}|1"));
    }
    // Into a dataset that has the damaged one.
    merge([&good, &good], &bad);
    assert_eq!(counts(&bad), format!("{CAPTURES}|1"));
}

#[test]
fn a_merge_refuses_what_only_ingest_can_tell_apart() {
    let folder = Folder::new();
    let archive = Packing::Plain.pack(&records());
    let [one, other] = ["one", "other"].map(|name| folder.path(name));
    ingest(&[], &folder.write("a.warc", &archive), &one, 0);
    ingest(&[], &folder.write("b.warc", &changed(&archive)), &other, 0);
    let mut command = robostat(["merge"]);
    let output = command.args([&one, &other]).arg("-o");
    let errors = output.arg(folder.path("out")).fail(1);
    let said = errors;
    assert_contains(&said, &["a.warc", "ingest one of the two"]);
}

#[test]
fn a_grown_file_counts_once_whatever_its_time() {
    let folder = Folder::new();
    let record = |number: usize| {
        let url = format!("http://h{number}.example/robots.txt");
        warc::response(number, &url, b"User-agent: *\nDisallow: /\n")
    };
    let all: Vec<Vec<u8>> = (0..60).map(record).collect();
    for packing in [Packing::Plain, Packing::GzipPerRecord] {
        let out = folder.path(&format!("{packing:?}"));
        let file = folder.write("crawl.warc", &packing.pack(&all[..30]));
        ingest(&[], &file, &out, 0);
        folder.write("crawl.warc", &packing.pack(&all));
        let earlier = SystemTime::now() - Duration::from_secs(86_400);
        let opened = File::options().append(true).open(&file);
        let opened = opened.expect("a file");
        opened.set_modified(earlier).expect("a time");
        let summary = ingest(&[], &file, &out, 0);
        assert_eq!(number(&summary, "inputs_replaced"), 1);
        assert_eq!(counts(&out), "60|1", "{packing:?}");
        // A copy in another place is another input, and the run warns of that.
        let copy = folder.write(
            "copy/crawl.warc",
            &packing.pack(&[&all[..], &all[..1]].concat()),
        );
        let mut command = robostat(["ingest"]);
        let output = command.args([&copy, &out]).output().expect("a program");
        let said = text(&output);
        assert!(said.contains("60 captures are counted twice"), "{said}");
    }
}
