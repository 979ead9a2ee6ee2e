//! Which inputs a run reads: an input is known by its content, and what is not read is listed.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use robostat::internals::sources::{self, Request};
use robostat::internals::{
    COMMIT_BYTES, CollectorOptions, CorpusOptions, NoCaptures, Pages, Plan, Remote, RemoteOptions,
    Settings, Skipped, Tally, Watcher,
};
use serde_json::Value;
use tempfile::tempdir;
use warc_recovery::damage::Damage;

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program::{
    Run as _, assert_contains, ingest, number, numbers, parts, robostat, run_with, sample, text,
};
use crate::support::warc::response;

/// A WARC file of this many captures; `seed` makes it different from others.
fn crawl(seed: usize, captures: usize) -> Vec<u8> {
    let record = |number: usize| {
        let url = format!("http://h{number}.example/robots.txt");
        let body = format!("User-agent: *\nDisallow: /{seed}\n");
        response(seed * 1000 + number, &url, body.as_bytes())
    };
    (0..captures).flat_map(record).collect()
}

impl Folder {
    /// Ingests `inputs` into `out`, from the folder `from`.
    fn run(&self, from: &str, arguments: &[&str]) -> Output {
        let out = self.path("out");
        let mut command = robostat(["ingest", "--json"]);
        if !arguments.contains(&"--subset") {
            command.args(["--subset", "robotstxt"]);
        }
        command.args(arguments).arg(out);
        command
            .current_dir(self.path(from))
            .output()
            .expect("a run")
    }

    /// The same; the run must end with exit code 0.
    #[track_caller]
    fn ingest(&self, from: &str, arguments: &[&str]) -> Value {
        let output = self.run(from, arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Captures of each input: its name and their number, in order; the dataset must be consistent.
    #[track_caller]
    fn inputs(&self) -> Vec<String> {
        robostat(["verify"]).arg(self.path("out")).succeed();
        duckdb::lines(
            &self.path("out/views.sql"),
            "SELECT path, inputs.captures, count(*) FROM inputs JOIN captures USING (input_id)
             WHERE path = warc_filename GROUP BY ALL ORDER BY ALL",
        )
    }
}

/// Inputs read and inputs ingested before.
fn counts(summary: &Value) -> [u64; 2] {
    numbers(summary, ["inputs", "inputs_ingested_before"])
}

fn set_time(path: &Path, seconds_ago: u64) {
    let time = SystemTime::now() - Duration::from_secs(seconds_ago);
    let file = File::options().write(true).open(path).expect("a file");
    file.set_modified(time).expect("a time");
}

#[test]
fn different_files_under_one_given_path_are_both_kept() {
    let folder = Folder::new();
    folder.write("july/robots.warc", &crawl(7, 3));
    folder.write("august/robots.warc", &crawl(8, 5));
    for month in ["july", "august"] {
        assert_eq!(counts(&folder.ingest(month, &["robots.warc"])), [1, 0]);
    }
    let both = ["robots.warc|3|3", "robots.warc|5|5"];
    assert_eq!(folder.inputs(), both);
    for month in ["july", "august"] {
        assert_eq!(counts(&folder.ingest(month, &["robots.warc"])), [0, 1]);
    }
    assert_eq!(counts(&folder.ingest(".", &["july", "august"])), [0, 2]);
    assert_eq!(folder.inputs(), both);
    let joined = duckdb::lines(
        &folder.path("out/views.sql"),
        "SELECT count(*) FROM captures JOIN files USING (file_id) JOIN inputs USING (input_id)",
    );
    assert_eq!(joined, ["8"], "a capture has one input");
}

#[test]
fn dev_stdin_is_what_is_behind_it() {
    let folder = Folder::new();
    let out = folder.path("out");
    for (seed, captures) in [(1, 2), (2, 4), (1, 2)] {
        let file = folder.write(&format!("{seed}.warc"), &crawl(seed, captures));
        for is_file in [true, false] {
            let mut command = robostat(["ingest", "-q", "--subset", "robotstxt", "/dev/stdin"]);
            command.arg(&out);
            let output = if is_file {
                command
                    .stdin(File::open(&file).expect("a file"))
                    .output()
                    .expect("a run")
            } else {
                run_with(command, &crawl(seed, captures))
            };
            assert!(output.status.success(), "{}", text(&output));
        }
    }
    let inputs = folder.inputs();
    assert_eq!(inputs.len(), 2, "{inputs:?}");
    assert!(
        inputs.iter().all(|input| input.starts_with("stream-")),
        "{inputs:?}"
    );
}

#[test]
fn names_that_differ_in_bytes_that_are_no_utf_8_stay_apart() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).expect("space");
    for (seed, name) in [&b"a\xff.warc"[..], b"a\xfe.warc", br"a\xFF.warc"]
        .iter()
        .enumerate()
    {
        let path = folder.path("in").join(std::ffi::OsStr::from_bytes(name));
        fs::write(path, crawl(seed, seed + 1)).expect("space");
    }
    assert_eq!(counts(&folder.ingest(".", &["in"])), [3, 0]);
    let inputs = folder.inputs();
    let expected = [r"a\x5CxFF.warc|3|3", r"a\xFE.warc|2|2", r"a\xFF.warc|1|1"];
    let mut sorted = expected.map(str::to_owned);
    sorted.sort();
    let mut found = inputs;
    found.sort();
    assert_eq!(found, sorted);
    assert_eq!(counts(&folder.ingest(".", &["in"])), [0, 3]);
}

#[test]
fn one_content_is_one_input_by_whatever_path() {
    let folder = Folder::new();
    let file = folder.write("a.warc", &crawl(1, 3));
    folder.write("sub/copy.warc", &crawl(1, 3));
    symlink(&file, folder.path("sub/link.warc")).expect("a link");
    fs::hard_link(&file, folder.path("sub/hard.warc")).expect("a link");
    let absolute = file.to_str().expect("UTF-8");
    let all = [
        "a.warc",
        "./sub/../a.warc",
        absolute,
        "sub/link.warc",
        "sub/copy.warc",
        "sub/hard.warc",
    ];

    let summary = folder.ingest(".", &all);
    assert_eq!(counts(&summary), [1, 2]);
    let skipped = summary["skipped"].as_array().expect("a list");
    let reasons: Vec<_> = skipped.iter().map(|it| it["reason"].as_str()).collect();
    let expected = [
        "repeated",
        "repeated",
        "repeated",
        "same_content",
        "same_content",
    ];
    assert_eq!(reasons, expected.map(Some));
    let message = skipped[3]["message"].as_str().expect("text");
    assert_eq!(message, "same content as a.warc, which was ingested");

    for path in all {
        for force in [&[][..], &["--force"]] {
            let arguments = [force, &[path]].concat();
            let read = u64::from(!force.is_empty());
            assert_eq!(
                counts(&folder.ingest(".", &arguments)),
                [read, 1 - read],
                "{path}"
            );
            assert_eq!(folder.inputs().len(), 1);
        }
    }
    let forced = folder.ingest(".", &[&["--force"], &all[..]].concat());
    assert_eq!(counts(&forced), [1, 2]);
    assert_eq!(
        numbers(&forced, ["inputs_replaced", "captures_replaced"]),
        [1, 3]
    );
    assert_eq!(folder.inputs(), ["a.warc|3|3"]);
    // A stream of the same bytes is the same content too.
    let mut command = robostat(["ingest", "--json", "-"]);
    command.arg(folder.path("out"));
    let output = run_with(command, &crawl(1, 3));
    let summary = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(counts(&summary), [0, 1]);
}

#[test]
fn a_file_that_has_grown_replaces_its_rows_and_says_so() {
    let folder = Folder::new();
    let file = folder.write("a.warc", &crawl(1, 3));
    set_time(&file, 100);
    folder.ingest(".", &["a.warc"]);
    fs::write(&file, crawl(1, 5)).expect("space");
    let output = folder.run(".", &["./a.warc"]);
    let summary = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(counts(&summary), [1, 0]);
    assert_eq!(
        numbers(&summary, ["inputs_replaced", "captures_replaced"]),
        [1, 3]
    );
    let said = "./a.warc: replaces what was ingested of a.warc; captures that go: 3";
    assert!(text(&output).contains(said), "{}", text(&output));
    assert_eq!(folder.inputs(), ["a.warc|5|5"]);
}

#[test]
fn an_older_file_put_in_a_known_place_is_another_input() {
    let folder = Folder::new();
    let file = folder.write("a.warc", &crawl(1, 3));
    set_time(&file, 100);
    folder.ingest(".", &["a.warc"]);
    fs::write(&file, crawl(2, 2)).expect("space");
    set_time(&file, 200);
    let output = folder.run(".", &["a.warc"]);
    assert!(text(&output).contains("both are kept"), "{}", text(&output));
    assert_eq!(folder.inputs(), ["a.warc|2|2", "a.warc|3|3"]);
    // By force, a name means all inputs of that name.
    fs::write(&file, crawl(3, 4)).expect("space");
    set_time(&file, 300);
    let forced = folder.ingest(".", &["--force", "a.warc"]);
    assert_eq!(
        numbers(&forced, ["inputs_replaced", "captures_replaced"]),
        [2, 5]
    );
    assert_eq!(folder.inputs(), ["a.warc|4|4"]);
}

#[test]
fn a_file_that_moves_on_leaves_its_place_to_another() {
    for names in [["a.warc", "a.warc.1"], ["b.warc", "a.warc"]] {
        let [current, old] = names;
        let folder = Folder::new();
        let file = folder.write(&format!("in/{current}"), &crawl(1, 3));
        set_time(&file, 100);
        folder.ingest(".", &["in"]);
        fs::rename(&file, folder.path("in").join(old)).expect("a move");
        folder.write(&format!("in/{current}"), &crawl(2, 2));
        folder.ingest(".", &["in"]);
        let captures: Vec<_> = folder
            .inputs()
            .iter()
            .map(|it| it[it.len() - 1..].to_owned())
            .collect();
        let mut sorted = captures;
        sorted.sort();
        assert_eq!(sorted, ["2", "3"], "{names:?}");
        assert_eq!(counts(&folder.ingest(".", &["in"])), [0, 2]);
    }
}

#[test]
fn a_touched_file_is_the_same_input() {
    let folder = Folder::new();
    let file = folder.write("a.warc", &crawl(1, 3));
    set_time(&file, 100);
    folder.ingest(".", &["a.warc"]);
    set_time(&file, 50);
    assert_eq!(counts(&folder.ingest(".", &["a.warc"])), [0, 1]);
}

#[test]
fn a_large_file_that_was_touched_is_the_same_input() {
    let folder = Folder::new();
    // More than the fingerprint covers whole: its digest is compared.
    let mut bytes = crawl(1, 3);
    let filler = vec![b'#'; 900_000];
    while bytes.len() < 17 << 20 {
        bytes.extend(response(
            bytes.len(),
            "http://big.example/robots.txt",
            &filler,
        ));
    }
    let file = folder.write("a.warc", &bytes);
    set_time(&file, 100);
    folder.ingest(".", &["a.warc"]);
    assert_eq!(counts(&folder.ingest(".", &["a.warc"])), [0, 1]);
    set_time(&file, 50);
    assert_eq!(counts(&folder.ingest(".", &["a.warc"])), [0, 1]);
    assert_eq!(folder.inputs().len(), 1);
}

#[test]
fn tables_have_no_path_of_this_machine() {
    let folder = Folder::new();
    let indexed = "crawl-data/CC-MAIN-2026-33/segments/1/robotstxt/x.warc";
    folder.write(indexed, &crawl(1, 1));
    folder.write("own/2026/y.warc", &crawl(2, 2));
    folder.write("z.warc", &crawl(3, 3));
    let absolute = |name: &str| folder.path(name).to_str().expect("UTF-8").to_owned();
    folder.ingest(
        ".",
        &[
            &absolute("crawl-data"),
            &absolute("own"),
            &absolute("z.warc"),
        ],
    );
    let expected = [
        format!("{indexed}|1|1"),
        "2026/y.warc|2|2".to_owned(),
        "z.warc|3|3".to_owned(),
    ];
    let mut sorted = expected;
    sorted.sort();
    assert_eq!(folder.inputs(), sorted);
    // Another way to it, the same name.
    let elsewhere = Folder::new();
    let below = folder.path("crawl-data/CC-MAIN-2026-33/segments/1/robotstxt");
    let mut command = robostat(["ingest", "-q", "x.warc"]);
    command.arg(elsewhere.path("out")).current_dir(below);
    assert!(command.status().expect("a run").success());
    assert_eq!(elsewhere.inputs(), [format!("{indexed}|1|1")]);
    for file in parts(&folder.path("out"))
        .values()
        .chain(parts(&elsewhere.path("out")).values())
    {
        let place = folder.path("");
        let place = place.to_str().expect("UTF-8").as_bytes();
        assert!(!file.windows(place.len()).any(|window| window == place));
    }
}

#[test]
fn every_entry_of_a_directory_is_ingested_or_listed_with_a_reason() {
    let folder = Folder::new();
    folder.write("in/a.warc", &crawl(1, 1));
    folder.write("in/begins-like-one", &crawl(2, 2));
    folder.write("in/notes.txt", b"not a WARC");
    folder.write("elsewhere/b.warc", &crawl(3, 3));
    let entry = |name: &str| folder.path("in").join(name);
    symlink("../elsewhere", entry("link-to-directory")).expect("a link");
    symlink("nothing", entry("dangling.warc")).expect("a link");
    symlink("../elsewhere/b.warc", entry("link-to-file.warc")).expect("a link");
    let pipe = std::process::Command::new("mkfifo")
        .arg(entry("pipe.warc"))
        .status();
    assert!(pipe.expect("mkfifo").success());
    fs::create_dir(entry("empty")).expect("space");
    folder.ingest("in", &["begins-like-one"]);
    fs::rename(folder.path("out"), entry("dataset")).expect("a move");

    let output = folder.run(".", &["in"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(counts(&summary), [3, 0]);
    let skipped = summary["skipped"].as_array().expect("a list");
    let found: Vec<_> = skipped
        .iter()
        .map(|it| {
            (
                it["path"].as_str().expect("text"),
                it["reason"].as_str().expect("text"),
            )
        })
        .collect();
    let expected = [
        ("in/dangling.warc", "dangling_link"),
        ("in/dataset", "dataset"),
        ("in/link-to-directory", "link_to_directory"),
        ("in/notes.txt", "no_warc"),
        ("in/pipe.warc", "special_file"),
    ];
    assert_eq!(found, expected);
    for (path, _) in expected {
        assert_contains(&text(&output), &[&format!("skipped: {path}: ")]);
    }
    let summary = robostat(["ingest"])
        .args([folder.path("in"), folder.path("out2")])
        .output();
    let summary = text(&summary.expect("a run"));
    assert_contains(
        &summary,
        &["dangling_link 1, dataset 1, link_to_directory 1, no_warc 1, special_file 1"],
    );
}

#[test]
fn what_cannot_be_read_does_not_end_a_run_of_others() {
    let folder = Folder::new();
    for seed in 0..3 {
        folder.write(&format!("{seed}.warc"), &crawl(seed, 1));
    }
    folder.write(
        "list",
        b"1.warc\nmissing-too.warc\n\xff.warc\n  2.warc  \n\n",
    );
    let arguments = ["0.warc", "missing.warc", "--files-from", "list"];
    let output = folder.run(".", &arguments);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    for path in ["missing.warc", "missing-too.warc", "\u{fffd}.warc"] {
        let said = format!("robostat: {path}: No such file");
        assert!(text(&output).contains(&said), "{}", text(&output));
    }
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(counts(&summary), [3, 0]);
    assert_eq!(number(&summary, "inputs_unreadable"), 3);
    assert_eq!(folder.inputs().len(), 3);
    let strict = folder.run(".", &[&["--strict", "--quiet"], &arguments[..]].concat());
    assert_eq!(strict.status.code(), Some(1));
    assert!(
        text(&strict).contains("missing.warc"),
        "an error, also with --quiet"
    );
}

#[test]
fn nothing_is_left_where_no_input_is_a_warc() {
    let robots = b"User-agent: *\nDisallow: /x\n";
    let cdx =
        b"com,example)/robots.txt 20260801000000 {\"url\": \"https://example.com/robots.txt\"}\n";
    for (bytes, words) in [
        (&b"# A project\n\nText.\n"[..], "not an input, but text"),
        (robots, "`robostat check`"),
        (robots, "`robostat inspect`"),
        (cdx, "CDX"),
        (b"", "empty"),
    ] {
        let folder = Folder::new();
        folder.write("input", bytes);
        for arguments in [
            &["input"][..],
            &["--quiet", "input"],
            &["--commit-every", "1", "input"],
        ] {
            let output = folder.run(".", arguments);
            assert_eq!(output.status.code(), Some(1), "{}", text(&output));
            let said = text(&output);
            assert_contains(&said, &[words, "nothing was ingested"]);
            assert!(!said.contains("committed"), "{said}");
            assert!(!folder.path("out").exists(), "{said}");
        }
        let output = folder.run(".", &["input"]);
        let summary: Value = serde_json::from_slice(&output.stdout).expect("a summary");
        let reason = summary["nothing_ingested"].as_str().unwrap_or_default();
        assert_eq!(
            (output.status.code(), reason.contains(words)),
            (Some(1), true)
        );
        assert_eq!(summary["rows"]["damage"], 0);
        // Into a dataset that is there: it stays as it is.
        folder.write("a.warc", &crawl(1, 1));
        folder.ingest(".", &["a.warc"]);
        let before = parts(&folder.path("out"));
        assert_eq!(folder.run(".", &["input"]).status.code(), Some(1));
        assert!(parts(&folder.path("out")) == before);
        assert_eq!(folder.inputs().len(), 1);
    }
    let folder = Folder::new();
    fs::create_dir(folder.path("out")).expect("space");
    folder.write("list", b"");
    assert_eq!(
        folder.run(".", &["--files-from", "list"]).status.code(),
        Some(1)
    );
    assert_eq!(fs::read_dir(folder.path("out")).expect("kept").count(), 0);
}

#[test]
fn swapped_arguments_get_a_hint() {
    let folder = Folder::new();
    folder.write("a.warc", &crawl(1, 1));
    let hint = "the inputs come first, the output directory last";
    for out in ["new", "out"] {
        let errors = robostat(["ingest", out, "a.warc"])
            .current_dir(folder.path(""))
            .fail(1);
        assert!(errors.contains(hint), "{}", errors);
        folder.ingest(".", &["a.warc"]);
    }
    let output = robostat(["ingest", "out", "other"])
        .current_dir(folder.path(""))
        .output();
    let output = output.expect("a run");
    assert!(text(&output).contains(hint), "{}", text(&output));
    assert!(!folder.path("other").exists());
}

#[test]
fn inputs_that_were_ingested_otherwise_are_told_with_the_remedy() {
    let folder = Folder::new();
    folder.write("a.warc", &crawl(1, 1));
    folder.write("copy.warc", &crawl(1, 1));
    folder.ingest(".", &["--crawl", "one", "a.warc"]);
    for path in ["a.warc", "copy.warc"] {
        let output = folder.run(".", &["--crawl", "two", path]);
        let said = text(&output);
        assert!(said.contains("with --crawl one; use --force"), "{said}");
        let same = folder.run(".", &["--crawl", "one", path]);
        assert!(!text(&same).contains("--force"), "{}", text(&same));
    }
    let output = robostat(["ingest", "--subset", "mixed"])
        .args([folder.path("a.warc"), folder.path("out")])
        .output()
        .expect("a run");
    let said = text(&output);
    assert_contains(&said, &["with --subset robotstxt; use --force"]);
}

#[test]
fn labels_that_are_too_long_are_refused_or_stay_different() {
    let folder = Folder::new();
    folder.write("a.warc", &crawl(1, 1));
    let long = "x".repeat(193);
    let output = folder.run(".", &["--crawl", &long, "a.warc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("at most 192"), "{}", text(&output));
    assert!(!folder.path("out").exists());
    folder.ingest(".", &["--crawl", &long[1..], "a.warc"]);

    for end in ["1", "2"] {
        let info = format!("isPartOf: {long}{end}\r\n");
        let info = format!(
            "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: {}\r\n\r\n{info}\r\n\r\n",
            info.len()
        );
        folder.write(end, &[info.into_bytes(), crawl(1, 1)].concat());
    }
    let output = folder.run(".", &["1", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_contains(&text(&output), &["label is too long"]);
    let crawls = duckdb::lines(
        &folder.path("out/views.sql"),
        "SELECT count(DISTINCT captures.crawl), bool_and(captures.crawl = inputs.crawl)
         FROM captures JOIN inputs USING (input_id)",
    );
    assert_eq!(crawls, ["3|true"]);
    assert_eq!(folder.inputs().len(), 3);
}

#[test]
fn a_giant_line_is_not_classed_as_empty() {
    let folder = Folder::new();
    let bodies = [b"x".repeat(600_000), vec![0; 1 << 20], Vec::new()];
    let records = bodies.iter().enumerate().map(|(number, body)| {
        response(
            number,
            &format!("http://h{number}.example/robots.txt"),
            body,
        )
    });
    folder.write("a.warc", &records.collect::<Vec<_>>().concat());
    folder.ingest(".", &["a.warc"]);
    let classes = duckdb::lines(
        &folder.path("out/views.sql"),
        "SELECT url_host_name, content_class, is_over_limit FROM captures JOIN files USING (file_id)
         ORDER BY 1",
    );
    let expected = [
        "h0.example|other|true",
        "h1.example|binary|true",
        "h2.example|empty|false",
    ];
    assert_eq!(classes, expected);
    assert_eq!(folder.inputs(), ["a.warc|3|3"]);
}

#[test]
fn a_keep_bodies_mismatch_names_that_option() {
    let folder = Folder::new();
    folder.write("a.warc", &crawl(1, 1));
    folder.ingest(".", &["a.warc"]);
    let output = folder.run(".", &["--keep-bodies", "a.warc"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output);
    assert!(
        said.contains("without --keep-bodies") && !said.contains("--limit"),
        "{said}"
    );
}

#[test]
fn an_input_that_is_no_warc_is_listed_beside_others() {
    let folder = Folder::new();
    folder.write("notes", b"no WARC");
    let out = folder.path("out");
    fs::copy(sample("crawl.warc"), folder.path("a.warc")).expect("space");
    let both = robostat(["ingest", "--json"])
        .args([folder.path("notes"), folder.path("a.warc"), out.clone()])
        .output()
        .expect("a run");
    assert_eq!(both.status.code(), Some(3), "{}", text(&both));
    let summary: Value = serde_json::from_slice(&both.stdout).expect("JSON");
    assert_eq!(numbers(&summary, ["inputs", "inputs_not_warc"]), [2, 1]);
    let again = ingest(&[], &folder.path("notes"), &out, 0);
    assert_eq!(counts(&again), [0, 1]);
}

#[test]
fn a_response_without_a_target_is_a_row_of_damage() {
    let folder = Folder::new();
    let nameless = |number: usize| {
        let record = String::from_utf8(response(number, "http://h.example/robots.txt", b"x"));
        let record = record.expect("UTF-8");
        let target = "WARC-Target-URI: http://h.example/robots.txt\r\n";
        assert!(record.contains(target));
        record.replace(target, "").into_bytes()
    };
    let bytes = [crawl(1, 2), nameless(77), crawl(2, 1), nameless(78)].concat();
    folder.write("a.warc", &bytes);
    for subset in ["robotstxt", "mixed"] {
        let output = folder.run(".", &["--force", "--subset", subset, "a.warc"]);
        assert_eq!(output.status.code(), Some(3), "{}", text(&output));
        assert_contains(
            &text(&output),
            &["the response record urn:uuid:77 has no WARC-Target-URI"],
        );
        let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(number(&summary, "captures"), 3);
        assert_eq!(number(&summary, "records"), 5);
        assert_eq!(number(&summary, "damaged_records"), 2);
        assert_eq!(number(&summary, "responses_without_target_uri"), 2);
        assert_eq!(number(&summary, "record_bytes"), bytes.len() as u64);
        let damage = duckdb::lines(
            &folder.path("out/views.sql"),
            "SELECT kind, length, count(*) FROM damage JOIN inputs USING (input_id) GROUP BY ALL",
        );
        assert_eq!(damage, ["no_target_uri|0|2"]);
        assert_eq!(folder.inputs(), ["a.warc|3|3"]);
    }
}

/// Hears nothing.
struct SilentWatcher;

impl Watcher for SilentWatcher {
    fn plan(&mut self, _: u64, _: Option<u64>) {}
    fn begin(&mut self, _: &str, _: u64) {}
    fn advance(&mut self, _: &Tally) {}
    fn damage(&mut self, _: &str, _: &Damage) {}
    fn skip(&mut self, _: &Skipped) {}
    fn note(&mut self, _: &str, _: &str) {}
    fn no_captures(&mut self, _: NoCaptures, _: &str, _: &str) {}
    fn commit(&mut self, _: usize) {}
}

#[test]
fn two_ingests_run_at_once_in_one_process() {
    let directory = tempdir().expect("a directory");
    let by_program = directory.path().join("by-program");
    ingest(&[], &sample("crawl.warc.gz"), &by_program, 0);
    let run = |jobs: usize| {
        let out = directory.path().join(jobs.to_string());
        let corpora = CorpusOptions::default();
        let inputs = [sample("crawl.warc.gz")];
        let remote = Arc::new(Remote::new(RemoteOptions::default()));
        let found = sources::find(&Request {
            paths: &inputs,
            files_from: None,
            indexes: &[],
            wants_all: false,
            has_crawl: false,
            base: None,
            sample: None,
            out: &out,
            corpora: &corpora,
            remote: &remote,
        });
        let plan = Plan {
            found: found.expect("an input"),
            remote,
            out: out.clone(),
            catalog: None,
            crawl: None,
            panel: None,
            subset: None,
            options: CollectorOptions {
                settings: Settings {
                    limit: 512_000,
                    max_sitemaps: 1000,
                    keep_bodies: false,
                },
                verify_digests: false,
                pages: Pages::No,
                links: false,
            },
            jobs,
            corpora,
            use_mmap: true,
            force: false,
            commit_bytes: COMMIT_BYTES,
        };
        let totals = robostat::internals::ingest(plan, &mut SilentWatcher, &AtomicBool::new(false));
        assert_eq!(totals.expect("a dataset").inputs, 1);
        parts(&out)
    };
    let (one, three) = std::thread::scope(|scope| {
        let three = scope.spawn(|| run(3));
        (run(1), three.join().expect("a dataset"))
    });
    let expected = parts(&by_program);
    assert!(one == expected && three == expected);
    let global = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global();
    assert!(global.is_ok(), "a run takes no threads but its own");
}
