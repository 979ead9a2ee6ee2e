//! Files that are named after their host: in folders, and in tar files.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::support::duckdb;
use crate::support::program::{Run as _, ingest, number, robostat};

use super::{Fetch, Folder, captures, damage, fetches, gzip, hosts, tables, warc, zstd};

/// The fetches of a file: status 200, no headers.
pub(super) fn files() -> Vec<Fetch> {
    let mut files: Vec<Fetch> = fetches()
        .into_iter()
        .filter(|fetch| fetch.status == 200)
        .collect();
    for file in &mut files {
        file.headers.clear();
    }
    files.sort_by(|one, other| one.url.cmp(&other.url));
    files
}

pub(super) fn host(fetch: &Fetch) -> &str {
    fetch.url["https://".len()..].trim_end_matches("/robots.txt")
}

/// A tar file with these files.
pub(super) fn tar<'f>(files: impl IntoIterator<Item = (String, &'f [u8])>) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mtime(1_785_585_600);
        // Written as it is: what an attacker would do too.
        let name = &mut header.as_old_mut().name;
        if path.len() <= name.len() {
            name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            tar.append(&header, bytes).expect("memory");
        } else {
            tar.append_data(&mut header, path, bytes).expect("memory");
        }
    }
    tar.into_inner().expect("memory")
}

#[test]
fn files_of_hosts_are_the_same_policies() {
    let folder = Folder::new();
    let files = files();
    let (_, expected) = folder.ingest_file("a.warc", &warc(&files), &["--keep-bodies"], 0);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_785_585_600);
    for (name, path_of) in [
        (
            "sites",
            (|host| format!("{host}/robots.txt")) as fn(&str) -> String,
        ),
        ("flat", |host| format!("{host}.txt")),
        ("wget", |host| format!("a/https/{host}/robots.txt")),
    ] {
        for file in &files {
            let path = folder.write(&format!("{name}/{}", path_of(host(file))), &file.body);
            let file = fs::File::options().write(true).open(path).expect("a file");
            file.set_modified(time).expect("a time");
        }
        folder.write(&format!("{name}/README.md"), b"# Notes\n");
        let out = folder.path(&format!("out of {name}"));
        let summary = ingest(&["--keep-bodies"], &folder.path(name), &out, 0);
        assert_eq!(number(&summary, "captures"), files.len() as u64);
        assert_eq!(summary["skipped"].as_array().map(Vec::len), Some(1));
        assert!(tables(&out) == tables(&expected), "{name}");
        robostat(["verify"]).arg(&out).succeed();
        let again = ingest(&["--keep-bodies"], &folder.path(name), &out, 0);
        assert_eq!(number(&again, "inputs_ingested_before"), 1, "{name}");

        let packed = tar(files.iter().map(|file| (path_of(host(file)), &*file.body)));
        for (suffix, bytes) in [
            ("tar", packed.clone()),
            ("tar.gz", gzip(&packed)),
            ("tar.zst", zstd(&packed)),
        ] {
            let tar = format!("{name}.{suffix}");
            let (_, packed) = folder.ingest_file(&tar, &bytes, &["--keep-bodies"], 0);
            assert!(tables(&packed) == tables(&expected), "{tar}");
            assert_eq!(captures(&packed), captures(&out), "{tar}");
        }
    }
    let sql = "SELECT container, url, fetch_time, fetch_status, warc_record_id, warc_filename
         FROM captures JOIN inputs USING (input_id) WHERE url LIKE '%8080%'";
    let found = duckdb::of(&folder.path("out of sites"), sql);
    let expected = "folder|https://to.example:8080/robots.txt|2026-08-01 \
                    12:00:00+00|NULL|to.example:8080/robots.txt|sites";
    assert_eq!(found, [expected]);
}

#[test]
fn a_folder_with_a_new_file_replaces_its_rows() {
    let folder = Folder::new();
    let out = folder.path("out");
    folder.write("sites/a.example.txt", b"User-agent: *\nDisallow: /\n");
    ingest(&[], &folder.path("sites"), &out, 0);
    let path = folder.write("sites/b.example.txt", b"User-agent: *\nDisallow: /\n");
    let later = SystemTime::now() + Duration::from_secs(60);
    let file = fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(later).expect("a time");
    let summary = ingest(&[], &folder.path("sites"), &out, 0);
    assert_eq!(number(&summary, "inputs_replaced"), 1);
    assert_eq!(hosts(&out), "a b", "two hosts with one content");
}

#[test]
fn hostile_tar_files_do_no_harm() {
    let folder = Folder::new();
    let long = format!("{}/long.example/robots.txt", "x/".repeat(100));
    let packed = tar([
        ("../../up.example/robots.txt".to_owned(), &b"a"[..]),
        ("/etc/root.example.txt".to_owned(), b"b"),
        ("notes.txt".to_owned(), b"c"),
        (long, b"d"),
        ("giant.example.txt".to_owned(), &vec![b'#'; 33 << 20]),
        ("last.example.txt".to_owned(), b"e"),
    ]);
    let (summary, out) = folder.ingest_file("a.tar", &packed, &[], 3);
    assert_eq!(hosts(&out), "up root long last");
    assert_eq!(number(&summary, "records"), 4);
    let found = damage(&out);
    assert!(
        found.len() == 1 && found[0].contains("giant.example.txt: longer than"),
        "{found:?}"
    );
    assert!(!folder.path("up.example").exists() && !Path::new("/etc/root.example.txt").exists());

    // A head that is damaged costs its file.
    let packed = tar([
        ("a.example.txt".to_owned(), &b"a"[..]),
        ("b.example.txt".to_owned(), b"b"),
        ("c.example.txt".to_owned(), b"c"),
    ]);
    let mut flipped = packed.clone();
    flipped[1024 + 130] ^= 0xff;
    let (_, out) = folder.ingest_file("b.tar", &flipped, &[], 3);
    assert_eq!(hosts(&out), "a c");
    assert!(
        damage(&out)[0].starts_with("not_a_record|1024|1024|"),
        "{:?}",
        damage(&out)
    );
    let (_, out) = folder.ingest_file("c.tar", &packed[..2048 + 100], &[], 3);
    assert_eq!(hosts(&out), "a b");
    assert!(
        damage(&out)[0].starts_with("truncated|2048|100|"),
        "{:?}",
        damage(&out)
    );
    // Cut between two files: nothing is missed but the end, and half of the files may be.
    for (name, bytes) in [
        ("cut.tar", packed[..2048].to_vec()),
        ("cut.tar.gz", gzip(&packed[..2048])),
    ] {
        let (_, out) = folder.ingest_file(name, &bytes, &[], 3);
        assert_eq!(hosts(&out), "a b");
        let found = damage(&out);
        let place = if name == "cut.tar" { "2048|0" } else { "0|0" };
        assert!(
            found.len() == 1
                && found[0].starts_with(&format!("truncated|{place}|"))
                && found[0].contains("blocks of zeros"),
            "{found:?}"
        );
    }
    // One block of zeros is enough, and so are several files in a row.
    let twice = [&packed[..], &packed[..3 * 1024 + 512]].concat();
    folder.ingest_file("twice.tar", &twice, &[], 0);
    let (_, out) = folder.ingest_file(
        "d.tar.gz",
        &gzip(&packed)[..gzip(&packed).len() - 10],
        &[],
        3,
    );
    assert!(
        damage(&out)[0].starts_with("truncated|"),
        "{:?}",
        damage(&out)
    );

    // A name of a gigabyte, and zeros for ever after, in a few kilobytes.
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(1 << 30);
    header.set_cksum();
    let bomb = gzip(&[&header.as_bytes()[..], &vec![0; 16 << 20]].concat());
    let (_, out) = folder.ingest_file("bomb.tar.gz", &bomb, &[], 3);
    assert!(
        damage(&out)[0].starts_with("truncated|"),
        "{:?}",
        damage(&out)
    );
}
