//! Archives of other kinds than WARC: the same captures, and what is wrong in them.

use crate::support::duckdb;
use crate::support::program::{Run as _, assert_contains, number, robostat, text};

use super::{Fetch, Folder, captures, damage, fetches, gzip, hosts, response, tables, warc, zstd};

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

#[test]
fn records_of_arc_keep_what_their_line_says() {
    let folder = Folder::new();
    let about = "1 1 Internet Archive\n\
                 <arcmetadata><dcterms:isPartOf>wide 5</dcterms:isPartOf></arcmetadata>\n";
    let arc = format!(
        "filedesc://x.arc.gz 192.0.2.1 20070801000000 text/plain {}\n{about}\n\
         dns:a.example 192.0.2.53 20070801000001 text/dns 4\nname\n\
         http://a.example:80/robots.txt 192.0.2.7 20070801000002 text/plain 17\nUser-agent: *\n\
         x:y\n\
         http://b.example/page?a=b c 192.0.2.8 20070801000003 text/html 1\nx\n\
         http://c.example/robots.txt 2001:db8::1 200708010000 no-type 0\n\n",
        about.len(),
    );
    let (summary, out) = folder.ingest_file("x.arc", arc.as_bytes(), &[], 0);
    assert_eq!(number(&summary, "records"), 5);
    let sql =
        "SELECT url, warc_type, fetch_time, fetch_status, content_mime_type, ip_address, crawl,
             warc_record_id, content_length, file_id IS NULL, warc_record_offset
         FROM captures ORDER BY url";
    let found = duckdb::of(&out, sql);
    let at = |host: &str| arc.find(&format!("http://{host}")).expect("a record");
    let expected = [
        format!(
            "http://a.example:80/robots.txt|response|2007-08-01 00:00:02+00|NULL|text/plain|\
             192.0.2.7|wide 5|NULL|17|false|{}",
            at("a.example")
        ),
        format!(
            "http://c.example/robots.txt|response|2007-08-01 00:00:00+00|NULL|NULL|2001:db8::1|\
             wide 5|NULL|0|true|{}",
            at("c.example")
        ),
    ];
    assert_eq!(found, expected);

    let input = folder.path("x.arc");
    let place = format!("{}@{}", input.display(), at("a.example"));
    let shown = robostat(["inspect", &place]).succeed();
    assert_contains(&shown, &["http://a.example:80/robots.txt"]);
    let refused = robostat(["inspect"]).arg(&input).output().expect("a run");
    assert_contains(&text(&refused), &["x.arc@OFFSET"]);
    let mut dry_run = robostat(["ingest", "--dry-run"]);
    let shown = dry_run.arg(&input).arg("out").succeed();
    assert!(shown.ends_with("x.arc: ARC, plain\n"));
}

#[test]
fn odd_records_of_arc_cost_no_capture() {
    let folder = Folder::new();
    let odd = [
        ("a", "192.0.2.7 2007080112", "HTTP/1.0 200 OK"),
        ("b", "192.0.2.7 200708011230459", "HTTP/1.0 200 OK"),
        ("c", "192.0.2.7 200708abc", "HTTP/1.0 200 OK"),
        ("d", "192.0.2.7 0x46b0b2f5", "HTTP/1.0 200 OK"),
        ("e", "20070801123045 192.0.2.7", "HTTP/1.0 200 OK"),
        ("f", "192.0.2.7 20070801123045", "HTTP 502 Bad Gateway"),
    ];
    let records = odd.map(|(host, fields, status)| {
        let block = format!("{status}\r\nContent-Type: text/plain\r\n\r\nUser-agent: {host}\n");
        let length = block.len();
        format!("http://{host}.example/robots.txt {fields} text/plain {length}\n{block}\n")
    });
    let records: Vec<Vec<u8>> = records.into_iter().map(String::into_bytes).collect();
    let members: Vec<Vec<u8>> = records.iter().map(|it| gzip(it)).collect();
    for (name, bytes) in [
        ("a.arc", records.concat()),
        ("a.arc.gz", members.concat()),
        ("a.arc.zst", zstd(&records.concat())),
    ] {
        let (summary, out) = folder.ingest_file(name, &bytes, &[], 0);
        assert_eq!(number(&summary, "damaged_records"), 0, "{name}");
        let sql = "SELECT url_host_name, fetch_time, fetch_status, ip_address, file_id IS NULL
             FROM captures ORDER BY url";
        let found = duckdb::of(&out, sql);
        let expected = [
            "a.example|2007-08-01 12:00:00+00|200|192.0.2.7|false",
            "b.example|2007-08-01 12:30:45+00|200|192.0.2.7|false",
            "c.example|NULL|200|192.0.2.7|false",
            "d.example|NULL|200|192.0.2.7|false",
            "e.example|2007-08-01 12:30:45+00|200|192.0.2.7|false",
            "f.example|2007-08-01 12:30:45+00|502|192.0.2.7|true",
        ];
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn damage_in_arc_costs_its_record() {
    let folder = Folder::new();
    let fetches = fetches();
    let records = arc_records(&fetches[..4], 1);
    let mut plain = records.concat();
    let second = records[0].len() + records[1].len();
    plain[second + 3] ^= 0x40;
    let (_, out) = folder.ingest_file("a.arc", &plain, &["--subset", "robotstxt"], 3);
    let found = damage(&out);
    let length = records[2].len();
    assert!(
        found.len() == 1 && found[0].starts_with(&format!("not_a_record|{second}|{length}|")),
        "{found:?}"
    );
    assert_eq!(hosts(&out).split(' ').count(), 3);
    let cut = &plain[..plain.len() - 20];
    let (_, out) = folder.ingest_file("b.arc", cut, &[], 3);
    assert_eq!(damage(&out).len(), 2);
    let junk = folder
        .ingest_file("c.arc", b"filedesc://x\xff\xd8\xff\xe0", &[], 3)
        .0;
    assert_eq!(number(&junk, "captures"), 0);
}
