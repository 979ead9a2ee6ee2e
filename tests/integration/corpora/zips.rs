//! Zip files with files named after their host, and with archives, as a WACZ.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::json;

use crate::support::duckdb;
use crate::support::program::{Run as _, ingest, number, robostat};

use super::files::{files, host};
use super::{Folder, captures, damage, fetches, gzip, hosts, tables, warc};

/// A zip file; members are deflated where that is said.
pub(super) fn zip(members: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ZipArchiveWriter::new(&mut bytes);
    for (path, content, is_deflated) in members {
        let method = if *is_deflated {
            CompressionMethod::DEFLATE
        } else {
            CompressionMethod::STORE
        };
        // Written as it is: what an attacker would do too.
        let path = rawzip::path::EntryPath::verbatim(path.as_bytes());
        let (mut entry, config) = writer
            .new_file(path)
            .compression_method(method)
            .last_modified(UtcDateTime::from_unix(1_785_585_600))
            .start()
            .expect("memory");
        let descriptor = if *is_deflated {
            let encoder = DeflateEncoder::new(&mut entry, Compression::fast());
            let mut data = config.wrap(encoder);
            data.write_all(content).expect("memory");
            let (encoder, descriptor) = data.finish().expect("memory");
            encoder.finish().expect("memory");
            descriptor
        } else {
            let mut data = config.wrap(&mut entry);
            data.write_all(content).expect("memory");
            data.finish().expect("memory").1
        };
        entry.finish(descriptor).expect("memory");
    }
    writer.finish().expect("memory");
    bytes
}

#[test]
fn files_of_hosts_in_zip_are_the_same_policies() {
    let folder = Folder::new();
    let files = files();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&files), &["--keep-bodies"], 0);
    let paths: Vec<String> = files
        .iter()
        .map(|file| format!("sites/{}/robots.txt", host(file)))
        .collect();
    let mut members: Vec<(&str, &[u8], bool)> = (paths.iter().zip(&files))
        .enumerate()
        .map(|(n, (path, file))| (path.as_str(), &*file.body, n % 2 == 0))
        .collect();
    members.insert(0, ("sites/README.md", b"# Notes\n", false));
    let (summary, out) = folder.ingest_file("a.zip", &zip(&members), &["--keep-bodies"], 0);
    assert!(tables(&out) == tables(&expected));
    assert_eq!(number(&summary, "records"), files.len() as u64);
    let sql = "SELECT container, url, fetch_time, fetch_status, warc_type, warc_record_id
         FROM captures JOIN inputs USING (input_id) WHERE url LIKE '%8080%'";
    let found = duckdb::of(&out, sql);
    let expected = "zip|https://to.example:8080/robots.txt|2026-08-01 12:00:00+00|NULL|resource|\
        sites/to.example:8080/robots.txt";
    assert_eq!(found, [expected]);
    fs::create_dir(folder.path("in")).expect("space");
    fs::rename(folder.path("a.zip"), folder.path("in/a.zip")).expect("space");
    let again = ingest(&["--keep-bodies"], &folder.path("in"), &out, 0);
    // Found in a directory, and known.
    assert_eq!(number(&again, "captures"), 0);
}

#[test]
fn hostile_zip_files_do_no_harm() {
    let folder = Folder::new();
    let giant = vec![b'#'; 33 << 20];
    let packed = zip(&[
        ("../../up.example/robots.txt", b"a", true),
        ("/etc/root.example.txt", b"b", false),
        ("giant.example.txt", &giant, true),
        ("last.example.txt", b"User-agent: *\n", false),
    ]);
    let (summary, out) = folder.ingest_file("a.zip", &packed, &[], 3);
    assert_eq!(hosts(&out), "up root last");
    assert_eq!(number(&summary, "records"), 3);
    let found = damage(&out);
    assert!(
        found.len() == 1 && found[0].contains("giant.example.txt: longer than 32 MiB"),
        "{found:?}"
    );

    // Content that is not what the directory says costs that file.
    let mut flipped = packed.clone();
    let at = memchr::memmem::find(&packed, b"User-agent").expect("stored");
    flipped[at] ^= 1;
    let (_, out) = folder.ingest_file("b.zip", &flipped, &[], 3);
    assert_eq!(hosts(&out), "up root");
    assert!(damage(&out)[1].contains("last.example.txt: its length or checksum is wrong"));

    // A directory that names the same bytes twice, as bombs do.
    let doubled = overlapping();
    let (_, out) = folder.ingest_file("c.zip", &doubled, &[], 3);
    assert!(damage(&out)[0].contains("overlaps"), "{:?}", damage(&out));

    let unreadable = "whose directory cannot be read";
    let table = zip(&[("[Content_Types].xml", b"<x/>", true)]);
    for (name, bytes, words) in [
        ("cut.zip", &packed[..packed.len() - 30], unreadable),
        ("photo.zip", b"PK\x03\x04\xff\xd8\xff\xe0JFIF", unreadable),
        ("table.xlsx", &table, "save the table as CSV"),
    ] {
        let input = folder.write(name, bytes);
        let errors = robostat(["ingest"])
            .args([&input, &folder.path("nothing")])
            .fail(1);
        assert!(errors.contains(words), "{name}: {errors}");
    }
}

/// A zip file with one member that its directory names twice.
fn overlapping() -> Vec<u8> {
    let one = zip(&[("a.example.txt", b"x", false)]);
    let directory = memchr::memmem::find(&one, b"PK\x01\x02").expect("a directory");
    let end = memchr::memmem::find(&one, b"PK\x05\x06").expect("its end");
    let record = &one[directory..end];
    let mut two = [&one[..end], record, &one[end..]].concat();
    let tail = two.len() - (one.len() - end);
    for at in [8, 10] {
        two[tail + at..tail + at + 2].copy_from_slice(&2_u16.to_le_bytes());
    }
    let length = u32::try_from(2 * record.len()).expect("short");
    two[tail + 12..tail + 16].copy_from_slice(&length.to_le_bytes());
    two
}

fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", crate::support::sha256(bytes))
}

/// A WACZ with these archives, as Browsertrix writes it.
pub(super) fn wacz(archives: &[(&str, &[u8])]) -> Vec<u8> {
    let pages: &[u8] = b"{\"format\": \"json-pages-1.0\"}\n";
    let mut members: Vec<(&str, &[u8], bool)> = vec![("pages/pages.jsonl", pages, true)];
    members.extend(archives.iter().map(|(path, bytes)| (*path, *bytes, false)));
    let resources: Vec<_> = members
        .iter()
        .map(|(path, bytes, _)| {
            json!({"name": path, "path": path, "hash": sha256(bytes), "bytes": bytes.len()})
        })
        .collect();
    let description = json!({"profile": "data-package", "resources": resources}).to_string();
    let digest = json!({"path": "datapackage.json", "hash": sha256(description.as_bytes())});
    let digest = digest.to_string();
    members.push(("datapackage.json", description.as_bytes(), true));
    members.push(("datapackage-digest.json", digest.as_bytes(), true));
    zip(&members)
}

fn by_record(warc: &[u8]) -> Vec<u8> {
    let starts: Vec<usize> = memchr::memmem::find_iter(warc, b"WARC/1.0\r\n").collect();
    let ends = starts.iter().skip(1).copied().chain([warc.len()]);
    let records = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &warc[*start..end]);
    records.flat_map(gzip).collect()
}

#[test]
fn archives_in_a_wacz_are_the_same_dataset() {
    let folder = Folder::new();
    let fetches = fetches();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&fetches), &["--keep-bodies"], 0);
    let (first, second) = fetches.split_at(7);
    let (first, second) = (by_record(&warc(first)), warc(second));
    let wacz = wacz(&[
        ("archive/data-0.warc.gz", &first),
        ("archive/empty.warc", b""),
        ("archive/data-1.warc", &second),
    ]);
    let arguments = ["--keep-bodies", "--verify-digests", "--no-mmap"];
    for arguments in [&arguments[..2], &arguments] {
        let (summary, out) = folder.ingest_file("a.wacz", &wacz, arguments, 0);
        assert_eq!(number(&summary, "records"), fetches.len() as u64);
        assert_eq!(captures(&out), captures(&expected));
        assert!(tables(&out) == tables(&expected));
        let found = duckdb::of(&out, "SELECT container, record_bytes FROM inputs");
        assert_eq!(found, [format!("wacz|{}", first.len() + second.len())]);
        let sql = "SELECT warc_record_offset, url FROM captures ORDER BY 1";
        let places = duckdb::of(&out, sql);
        for place in [&places[0], &places[6], &places[20]] {
            let (offset, url) = place.split_once('|').expect("two columns");
            let place = format!("{}@{offset}", folder.path("a.wacz").display());
            let shown = robostat(["inspect", &place]).succeed();
            assert!(shown.contains(url), "{shown}");
        }
        fs::remove_dir_all(out).expect("a dataset");
    }
    let mut dry_run = robostat(["ingest", "--dry-run"]);
    let shown = dry_run.arg(folder.path("a.wacz")).arg("out").succeed();
    assert!(shown.ends_with("a.wacz: wacz with archives: 2\n"));
}

#[test]
fn what_is_wrong_in_a_wacz_is_told() {
    let folder = Folder::new();
    let crawl = warc(&fetches()[..4]);
    let sound = wacz(&[("archive/a.warc", &crawl), ("archive/b.warc", &crawl)]);
    // A byte of a body: the record is whole, the digest is not.
    let mut flipped = sound.clone();
    let at = memchr::memmem::find(&sound, b"made-up").expect("stored");
    flipped[at] ^= 1;
    let (_, out) = folder.ingest_file("a.wacz", &flipped, &[], 0);
    assert_eq!(damage(&out).len(), 0, "digests were not asked for");
    let (summary, out) =
        folder.ingest_file("b.wacz", &flipped, &["--force", "--verify-digests"], 3);
    let found = damage(&out);
    assert!(
        found.len() == 1
            && found[0].starts_with("bad_digest|")
            && found[0].contains("archive/a.warc: its digest is sha256:"),
        "{found:?}"
    );
    assert_eq!(number(&summary, "captures"), 8);

    // A damaged head costs its record, and the damage has its offset.
    let mut flipped = sound.clone();
    let at = memchr::memmem::rfind(&sound, b"WARC/1.0").expect("a record");
    flipped[at] ^= 1;
    let (summary, out) = folder.ingest_file("c.wacz", &flipped, &[], 3);
    assert_eq!(number(&summary, "captures"), 7);
    assert!(
        damage(&out)[0].starts_with(&format!("not_a_record|{at}|")),
        "{:?}",
        damage(&out)
    );

    // Members that are compressed again, or are not archives.
    let packed = zip(&[
        ("archive/a.warc", &crawl, true),
        ("archive/b.warc", &crawl, false),
        ("archive/c.warc.gz", b"\xff\xd8\xff\xe0JFIF", false),
        ("datapackage.json", b"{", false),
    ]);
    let (summary, out) = folder.ingest_file("d.wacz", &packed, &["--verify-digests"], 3);
    assert_eq!(number(&summary, "captures"), 4);
    let found = damage(&out).join("\n");
    for words in [
        "archive/a.warc: the zip file packs it once more",
        "archive/c.warc.gz: ",
        "JPEG",
        "datapackage.json: not a valid description",
    ] {
        assert!(found.contains(words), "{found}");
    }
}
