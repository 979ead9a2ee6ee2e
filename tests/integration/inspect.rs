//! `robostat inspect` on the samples and on records of archives; `tests/cases/inspect.md` has the
//! rest.

use std::fs;
use std::io::Read as _;

use serde_json::Value;

use crate::support::program::{assert_snapshot, in_samples, samples, stderr, stdout};

/// Offsets of the records of `crawl.warc`, and of the members and frames that hold the same
/// records in the same order.
struct Offsets {
    plain: Vec<usize>,
    gzip: Vec<usize>,
    zstd: Vec<usize>,
    crawl: Vec<u8>,
}

impl Offsets {
    fn read() -> Self {
        let read = |name| fs::read(samples().join(name)).expect("a sample");
        let crawl = read("crawl.warc");
        let mut offsets = Self {
            plain: Vec::new(),
            gzip: Vec::new(),
            zstd: Vec::new(),
            crawl: Vec::new(),
        };
        let packed = read("crawl.warc.gz");
        let (mut at, mut decoded) = (0, 0);
        while at < packed.len() {
            offsets.gzip.push(at);
            offsets.plain.push(decoded);
            let mut member = flate2::bufread::GzDecoder::new(&packed[at..]);
            decoded += member.read_to_end(&mut Vec::new()).expect("a member");
            at = packed.len() - member.into_inner().len();
        }
        assert_eq!(decoded, crawl.len());
        let packed = read("crawl.warc.zst");
        let mut at = 0;
        while at < packed.len() {
            let length = zstd::zstd_safe::find_frame_compressed_size(&packed[at..]);
            if at > 0 {
                offsets.zstd.push(at);
            }
            at += length.expect("a frame");
        }
        offsets.crawl = crawl;
        offsets
    }

    /// The number of the record that has all of `parts` in its first bytes.
    fn find(&self, parts: &[&str]) -> usize {
        let head = |start: usize| &self.crawl[start..self.crawl.len().min(start + 600)];
        let fits = |start: &usize| {
            let head = String::from_utf8_lossy(head(*start));
            let head = head.split("\r\n\r\n").next().unwrap_or_default();
            parts.iter().all(|part| head.contains(part))
        };
        self.plain.iter().position(fits).expect("such a record")
    }

    /// The three names of record `index`.
    fn names(&self, index: usize) -> [String; 3] {
        [
            format!("crawl.warc@{}", self.plain[index]),
            format!("crawl.warc.gz@{}", self.gzip[index]),
            format!("crawl.warc.zst@{}", self.zstd[index]),
        ]
    }
}

fn response(host: &str) -> [String; 2] {
    let uri = format!("WARC-Target-URI: https://{host}/robots.txt\r\n");
    ["WARC-Type: response".to_owned(), uri]
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}

fn without_title(text: &str) -> &str {
    text.split_once('\n').expect("a title").1
}

#[test]
fn every_sample_reads_well() {
    for entry in fs::read_dir(samples().join("robots")).expect("the samples") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a name");
        let text = stdout(&["inspect", &format!("robots/{name}")]);
        assert_snapshot(&format!("inspect/{name}"), &text);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
            assert_eq!(line.trim_end(), line, "{name}");
        }
    }
}

#[test]
fn a_capture_is_the_same_in_every_container() {
    let offsets = Offsets::read();
    let parts = response("misspelt-keys.robots.example");
    let record = offsets.find(&parts.each_ref().map(String::as_str));
    let names = offsets.names(record);
    let texts = names.each_ref().map(|name| stdout(&["inspect", name]));
    assert_snapshot("inspect/capture.txt", without_title(&texts[0]));
    assert!(
        texts
            .iter()
            .all(|text| without_title(text) == without_title(&texts[0]))
    );
    let file = json(&["inspect", "--json", "robots/misspelt-keys.txt"]);
    for name in &names {
        let read = json(&["inspect", "--json", name]);
        let (path, offset) = name.split_once('@').expect("an offset");
        let capture = &read["capture"];
        assert_eq!(capture["warc_filename"], path);
        assert_eq!(capture["warc_record_offset"].to_string(), offset);
        assert_eq!(capture["fetch_status"], 200);
        assert_eq!(capture["file_id"], file["file_id"]);
        assert_eq!(read["lines"], file["lines"]);
        assert_eq!(read["policy_id"], file["policy_id"]);
    }
}

#[test]
fn a_capture_without_a_file_shows_its_heads() {
    let offsets = Offsets::read();
    let record = offsets.find(&["WARC-Type: revisit"]);
    for name in offsets.names(record) {
        let text = stdout(&["inspect", &name]);
        assert!(text.contains("WARC-Type: revisit") && text.contains("a revisit refers to"));
        let read = json(&["inspect", "--json", &name]);
        assert!(read["capture"]["file_id"].is_null() && read.get("lines").is_none());
    }
}

#[test]
fn every_record_is_found_by_its_offset() {
    let offsets = Offsets::read();
    assert_eq!(offsets.zstd.len(), offsets.plain.len());
    for index in (0..offsets.plain.len()).step_by(119) {
        let head = &offsets.crawl[offsets.plain[index]..][..60];
        let is_capture = ["response", "revisit", "resource"]
            .iter()
            .any(|kind| String::from_utf8_lossy(head).contains(&format!("WARC-Type: {kind}")));
        for name in offsets.names(index) {
            let output = in_samples(&["inspect", &name]).output().expect("a run");
            assert_eq!(output.status.success(), is_capture, "{name}");
        }
    }
}

#[test]
fn no_record_there_names_file_offset_and_remedy() {
    let offsets = Offsets::read();
    for name in offsets.names(5) {
        let (path, offset) = name.split_once('@').expect("an offset");
        let offset: usize = offset.parse().expect("a number");
        for (wrong, why) in [
            (offset + 1, "begins there"),
            (usize::MAX, "the file has only"),
        ] {
            let message = stderr(&["inspect", &format!("{path}@{wrong}")], 1);
            let named = [path, &wrong.to_string(), why, "captures.warc_record_offset"];
            assert!(named.iter().all(|part| message.contains(part)), "{message}");
        }
        let message = stderr(&["inspect", &format!("{path}@{offset}+3")], 1);
        assert!(message.contains("[0]"), "{message}");
    }
    let request = offsets.find(&["WARC-Type: request"]);
    let message = stderr(&["inspect", &offsets.names(request)[0]], 1);
    assert!(message.contains("type request"), "{message}");
}

#[test]
fn damage_is_reported() {
    let offsets = Offsets::read();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, offset) in [
        ("crawl.warc.gz", offsets.gzip[4]),
        ("crawl.warc.zst", offsets.zstd[4]),
    ] {
        let mut bytes = fs::read(samples().join(name)).expect("a sample");
        bytes[offset + 40] ^= 0x55;
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let message = stderr(&["inspect", &format!("{}@{offset}", path.display())], 1);
        assert!(message.contains("are damaged"), "{message}");
    }
}
