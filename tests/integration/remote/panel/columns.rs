//! `robostat panel find` fetches the footer and some columns of the files of an index: from servers
//! that break off, refuse, and send other ranges or none, and of files in another format.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{mirror, step};
use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains};
use crate::support::server::{Answer, ServedRequest, Server};
use crate::support::warc::gzip;

const CRAWL: &str = "CC-MAIN-2026-34";
/// Rows of the index; each host has a hundred.
const ROWS: usize = 24_576;
/// Columns of the index. Between those that are wanted, others have more bytes than are bridged.
const COLUMNS: &str = "'com,x' || i AS url_surtkey,
    'https://s' || i // 100 || '.example/robots.txt' AS url,
    's' || i // 100 || '.example' AS url_host_name,
    noise AS url_path,
    TIMESTAMP '2026-08-01' + to_seconds(i::INT) AS fetch_time,
    200::SMALLINT AS fetch_status,
    noise AS content_digest,
    'crawl-data/' || i % 7 || '.warc.gz' AS warc_filename,
    i::INT AS warc_record_offset,
    100::INT AS warc_record_length,
    'x' AS warc_segment";

/// A panel of three sites, and a Common Crawl with this index.
struct Fixture {
    folder: Folder,
    files: HashMap<String, Vec<u8>>,
}

impl Fixture {
    /// `columns`: the columns of the index, as SQL.
    fn new(columns: &str) -> Self {
        let folder = Folder::new();
        folder.write(
            "panel/sites.csv",
            b"domain\ns0.example\nS77.example\ns245.example\n",
        );
        let index = folder.path("index.parquet");
        let noise = (0..4).map(|it| format!("md5('{it}' || i)"));
        let noise = noise.collect::<Vec<_>>().join(" || ");
        let sql = format!(
            "COPY (SELECT {columns} FROM (SELECT i, {noise} AS noise FROM range({ROWS}) AS r(i)))
            TO '{}' (COMPRESSION uncompressed, ROW_GROUP_SIZE 12288)",
            index.display()
        );
        duckdb::lines(Path::new("/dev/null"), &sql);
        let path = "cc-index/table/cc-main/warc/crawl=C/subset=robotstxt/part-0.parquet";
        let list = format!("/crawl-data/{CRAWL}/cc-index-table.paths.gz");
        let files = HashMap::from([
            (list, gzip(path.as_bytes())),
            (format!("/{path}"), fs::read(index).expect("an index")),
        ]);
        Self { folder, files }
    }

    /// Bytes of the file of the index.
    fn length(&self) -> usize {
        self.files.values().map(Vec::len).max().expect("files")
    }

    /// The server of it, which answers requests for the file of the index as `file` does: with the
    /// request, the content, and how many requests came before.
    fn server(
        &self,
        file: impl Fn(&ServedRequest, &[u8]) -> Answer + Send + Sync + 'static,
    ) -> Server {
        let files = self.files.clone();
        Server::new(move |asked| match files.get(&asked.target) {
            Some(body) if asked.target.ends_with(".parquet") => file(asked, body),
            _ => super::answer(&files, asked),
        })
    }

    /// `panel find`.
    fn find(&self, base: &str) -> std::process::Command {
        let mut command = step("find", base, &self.folder.path("panel"));
        command.args(["--crawl", CRAWL]);
        command
    }

    /// The rows that were found, after which they are removed.
    fn take_rows(&self) -> Vec<String> {
        let found = self.folder.path(&format!("panel/index/{CRAWL}.parquet"));
        let sql = format!("FROM '{}' ORDER BY ALL", found.display());
        let rows = duckdb::lines(Path::new("/dev/null"), &sql);
        fs::remove_file(found).expect("an index");
        rows
    }

    /// The rows of these sites, from files on this machine.
    fn expected(&self) -> Vec<String> {
        self.find(&mirror(&self.folder, &self.files)).succeed();
        let rows = self.take_rows();
        assert_eq!(rows.len(), 276, "the last site has 76");
        rows
    }
}

/// The bytes that were asked for of a file of so many bytes.
fn asked(server: &Server, length: usize) -> Vec<Range<usize>> {
    let range = |it: &ServedRequest| match (it.suffix(), it.from()) {
        (Some(bytes), _) => length - bytes..length,
        (_, Some(from)) => from..it.last().map_or(length, |last| last + 1),
        _ => 0..length,
    };
    let asked = server.asked();
    let files = asked.iter().filter(|it| it.target.ends_with(".parquet"));
    files.map(range).collect()
}

type Serve = fn(&ServedRequest, &[u8]) -> Answer;

/// A range of a file.
fn part(body: &[u8], range: Range<usize>, etag: &str) -> Answer {
    let length = body.len();
    let (first, last) = (range.start, range.end.min(length) - 1);
    Answer::new(206, &body[first..=last])
        .with("Content-Range", &format!("bytes {first}-{last}/{length}"))
        .with("ETag", etag)
}

#[test]
fn only_the_columns_that_are_needed_are_fetched() {
    let fixture = Fixture::new(COLUMNS);
    let (expected, length) = (fixture.expected(), fixture.length());
    let server = fixture.server(|asked, body| Answer::file(asked, body, "\"v1\""));
    let plan = fixture.find(&server.url("")).arg("--dry-run").succeed();
    assert_eq!(asked(&server, length).len(), 1);
    assert_eq!(asked(&server, length)[0].start, length - (64 << 10));
    let all = plan.lines().last().expect("a total");
    let all: Vec<&str> = all.split_whitespace().collect();
    assert_eq!(all[..2], ["all", "1"], "{plan}");

    fixture.find(&server.url("")).succeed();
    assert_eq!(fixture.take_rows(), expected);
    // The plan of this run is the first of them.
    let ranges = asked(&server, length).split_off(2);
    assert_eq!(all[2], ranges.len().to_string(), "{plan}");
    let bytes: usize = ranges.iter().map(Range::len).sum();
    #[expect(clippy::cast_precision_loss, reason = "few bytes")]
    let shown = format!(" {:.2} KiB ", bytes as f64 / 1024.0);
    assert_contains(&plan, &[&shown]);
    assert!(bytes < length / 3, "{bytes} of {length}");
    assert!(ranges.len() <= 1 + 2 * 3, "{ranges:?}");
}

#[test]
fn a_footer_that_is_longer_than_expected_is_requested_as_a_whole() {
    let columns = (0..600).map(|it| format!("NULL::INTEGER AS column_{it}"));
    let columns: Vec<String> = columns.collect();
    let fixture = Fixture::new(&format!("{COLUMNS}, {}", columns.join(", ")));
    let (expected, length) = (fixture.expected(), fixture.length());
    let server = fixture.server(|asked, body| Answer::file(asked, body, "\"v1\""));
    fixture.find(&server.url("")).succeed();
    assert_eq!(fixture.take_rows(), expected);
    let asked = asked(&server, length);
    let ends = asked.iter().filter(|it| it.end == length).map(Range::len);
    let ends: Vec<usize> = ends.collect();
    // Twice for the plan, and twice for the file.
    assert_eq!((ends.len(), ends[0], ends[2]), (4, 64 << 10, 64 << 10));
    assert!(ends[1] > 64 << 10 && ends[1] == ends[3], "{ends:?}");
    assert!(asked.iter().map(Range::len).sum::<usize>() < length / 3);
}

#[test]
fn a_range_that_does_not_come_as_asked_for_is_put_right() {
    let fixture = Fixture::new(COLUMNS);
    let expected = fixture.expected();
    // A plan asks once.
    let server = fixture.server(|asked, body| {
        // In the end, the file changes.
        let etag = ["\"v1\"", "\"v2\""][usize::from(asked.before >= 14)];
        let whole = Answer::file(asked, body, etag);
        let (from, last) = (asked.from(), asked.last());
        let of_range = |answer: fn(&[u8], Range<usize>) -> Answer| {
            answer(body, from.expect("a range")..last.expect("a range") + 1)
        };
        match asked.before {
            1 => Answer::new(503, b"SlowDown").with("Retry-After", "0"),
            2 => whole.cut(100),
            3 => Answer::none(),
            // The end is there; then ranges come.
            5 => whole.cut(1000),
            6 => Answer::new(429, b"").with("Retry-After", "0"),
            7 => of_range(|body, it| part(body, it.start..it.end - 1000, "\"v1\"")),
            8 => of_range(|body, it| part(body, it.start..it.end + 1000, "\"v1\"")),
            9 => of_range(|body, it| part(body, it.start + 1..it.end, "\"v1\"")),
            _ => whole,
        }
    });
    let said = fixture.find(&server.url("")).fail(0);
    assert_eq!(fixture.take_rows(), expected, "{said}");
    assert_contains(&said, &["all requests pause", "another part", "changed"]);
}

#[test]
fn a_server_without_ranges_sends_the_whole_file() {
    let fixture = Fixture::new(COLUMNS);
    let expected = fixture.expected();
    let server = fixture.server(|asked, body| {
        let answer = Answer::new(200, body).with("ETag", "\"v1\"");
        if asked.before == 1 {
            answer.cut(1000)
        } else {
            answer
        }
    });
    let said = fixture.find(&server.url("")).fail(0);
    assert_eq!(fixture.take_rows(), expected, "{said}");
    let words = ["requests and bytes are unknown", "longer than 1 MiB"];
    assert_contains(&said, &words);
    assert_eq!(asked(&server, fixture.length()).len(), 3);
}

#[test]
fn what_is_not_an_index_is_reported_and_not_looked_up() {
    let whole = Fixture::new(COLUMNS);
    let length = whole.length();
    let cut: Serve = |asked, body| Answer::file(asked, &body[..body.len() / 2], "\"v1\"");
    let cut_and_whole: Serve = |_, body| Answer::new(200, &body[..body.len() / 2]);
    let page: Serve = |_, _| Answer::new(200, b"<html><body>Busy</body></html>");
    for (serve, words) in [
        (cut, "a Parquet file that cannot be read"),
        (cut_and_whole, "a Parquet file that cannot be read"),
        (page, "an HTML page"),
    ] {
        let server = whole.server(serve);
        let said = whole.find(&server.url("")).fail(3);
        assert_contains(&said, &[words, "crawls that are missing: 1"]);
    }
    // A column is missing: DuckDB reports it, and other crawls would be searched.
    let fixture = Fixture::new("'a' AS url, 's0.example' AS url_host_name");
    let server = fixture.server(|asked, body| Answer::file(asked, body, "\"v1\""));
    let said = fixture.find(&server.url("")).fail(3);
    let words = ["part-0.parquet: ", "\"fetch_time\" not found"];
    assert_contains(&said, &words);
    // A damaged page.
    let server = whole.server(|asked, body| {
        let damaged = [vec![0xff; body.len() / 2], body[body.len() / 2..].to_vec()].concat();
        Answer::file(asked, &damaged, "\"v1\"")
    });
    let said = whole.find(&server.url("")).fail(3);
    assert_contains(&said, &["part-0.parquet: ", "crawls that are missing: 1"]);
    assert!(asked(&server, length).len() > 1);
}

#[test]
fn a_run_that_is_killed_between_two_ranges_goes_on_there() {
    let fixture = Fixture::new(COLUMNS);
    let (expected, length) = (fixture.expected(), fixture.length());
    let stalled = Arc::new(Mutex::new(None));
    let first = Arc::clone(&stalled);
    let server = fixture.server(move |asked, body| {
        let answer = Answer::file(asked, body, "\"v1\"");
        // Plan, end, first range; the second is slow.
        let mut first = first.lock().expect("no panic");
        if asked.before == 3 && first.is_none() {
            *first = asked.from();
            return answer.stall(50);
        }
        answer
    });
    let mut child = fixture.find(&server.url("")).spawn().expect("a run");
    while stalled.lock().expect("no panic").is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(100));
    let said = fixture.find(&server.url("")).fail(1);
    assert_contains(&said, &["index: another robostat is using"]);
    child.kill().expect("a child");
    child.wait().expect("its end");
    let before = asked(&server, length).len();
    fixture.find(&server.url("")).succeed();
    assert_eq!(fixture.take_rows(), expected);
    let again = asked(&server, length).split_off(before);
    let second = stalled.lock().expect("no panic").expect("a range");
    let (ends, ranges): (Vec<_>, Vec<_>) = again.into_iter().partition(|it| it.end == length);
    assert_eq!(ends.len(), 2, "of the plan and of the file");
    assert!(ranges.iter().all(|it| it.start >= second), "{ranges:?}");
}
