//! Lists of inputs, crawls by name, and samples.

use super::server::{Answer, Server};
use super::{lines, quick, run, warc};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, numbers, robostat};
use crate::support::warc::gzip;

/// Another list of the crawl: a file that the first list names too, and a missing one.
const OTHER: &[u8] =
    b"# Files.\n\ncrawl-data/C-1/robotstxt/f00.warc.gz\r\n  # One.\nelsewhere.warc.gz\n";

/// The list of a crawl with `number` files.
fn paths(number: usize) -> String {
    let paths = (0..number).map(|it| format!("crawl-data/C-1/robotstxt/f{it:02}.warc.gz"));
    paths.collect::<Vec<_>>().join("\n")
}

/// A mirror of a crawl with `number` files.
fn mirror(number: usize) -> Server {
    let list = gzip(paths(number).as_bytes());
    Server::new(move |asked| match &*asked.target {
        "/m/crawl-data/C-1/robotstxt.paths.gz" => Answer::new(200, &list),
        "/m/other/C-1.paths" => Answer::new(200, OTHER),
        target if target.starts_with("/m/crawl-data/C-1/robotstxt/f") => {
            Answer::file(asked, &warc(asked.stem(), 1), "\"a\"")
        }
        _ => Answer::new(404, b""),
    })
}

#[test]
fn a_crawl_is_ingested_by_its_name() {
    let (server, folder) = (mirror(5), Folder::new());
    let out = folder.path("out");
    let base = server.url("/m/");
    let from = |crawl: &str, more: &[&str], code| {
        let mut command = quick();
        command.args(["--base", &base, "--from", crawl]).args(more);
        run(command.arg(&out), code)
    };
    let (summary, _) = from("C-1", &[], 0);
    assert_eq!(summary["inputs"], 5);
    let sql = "SELECT DISTINCT crawl, warc_filename FROM captures ORDER BY ALL";
    let found = lines(&out, sql);
    assert_eq!(found[0], "C-1|crawl-data/C-1/robotstxt/f00.warc.gz");
    assert_eq!(found.len(), 5);
    // In the order of the list.
    let rows = lines(&out, "SELECT path FROM inputs");
    assert!(rows.is_sorted(), "{rows:?}");

    // The same list as an argument and as a list: nothing but the list is asked for.
    let list = server.url("/m/crawl-data/C-1/robotstxt.paths.gz");
    let before = server.asked().len();
    run(quick().arg(&list).arg(&out), 0);
    run(quick().args(["--files-from", &list]).arg(&out), 0);
    let local = folder.write("robotstxt.paths", b"crawl-data/C-1/robotstxt/f03.warc.gz\n");
    let (summary, _) = run(quick().args(["--base", &base]).arg(local).arg(&out), 0);
    assert_eq!(summary["inputs_ingested_before"], 1);
    assert_eq!(server.asked().len(), before + 2);

    // Another list of the crawl, and a crawl that is not there.
    let (summary, _) = from("C-1", &["--list-path", "other/{}.paths"], 3);
    assert_eq!(
        numbers(&summary, ["inputs_unreadable", "inputs_ingested_before"]),
        [1, 1]
    );
    assert_eq!(server.count("/m/elsewhere.warc.gz"), 1);
    let (_, said) = from("C-2", &[], 1);
    assert_contains(&said, &["C-2/robotstxt.paths.gz: HTTP status 404"]);
}

#[test]
fn a_larger_sample_holds_the_smaller_one_and_fetches_only_the_rest() {
    let (server, folder) = (mirror(40), Folder::new());
    let base = server.url("/m/");
    let sample = |out: &str, size: &str, seed: &str| {
        let out = folder.path(out);
        let mut command = quick();
        command.args([
            "--base", &base, "--from", "C-1", "--sample", size, "--seed", seed,
        ]);
        run(command.arg(&out), 0);
        lines(&out, "SELECT path FROM inputs ORDER BY path")
    };
    let small = sample("nested", "5", "7");
    let asked = server.asked().len();
    let large = sample("nested", "12", "7");
    assert_eq!((small.len(), large.len()), (5, 12));
    assert!(
        small.iter().all(|path| large.contains(path)),
        "{small:?} {large:?}"
    );
    assert_eq!(
        server.asked().len(),
        asked + 1 + 7,
        "the list, and what is new"
    );
    assert_ne!(sample("other", "5", "8"), small);
    let design = "SELECT DISTINCT sample_of, sample_seed FROM inputs";
    assert_eq!(lines(&folder.path("nested"), design), ["40|7"]);
    let drawn = lines(&folder.path("nested"), "FROM sampling");
    assert_eq!(
        drawn,
        ["C-1|12|40|7|12"],
        "crawl, inputs, of, seed, captures"
    );

    // The same lines on this machine give the same sample.
    let list = paths(40);
    let list = folder.write("list", format!("# All of them.\n\n{list}").as_bytes());
    for number in 0..40 {
        let path = format!("crawl-data/C-1/robotstxt/f{number:02}.warc.gz");
        folder.write(&path, &warc(&format!("f{number:02}"), 1));
    }
    let out = folder.path("local");
    let mut command = quick();
    command
        .current_dir(folder.path(""))
        .args(["--sample", "5", "--seed", "7", "--files-from"]);
    run(command.arg(list).arg(&out), 0);
    assert_eq!(lines(&out, "SELECT path FROM inputs ORDER BY path"), small);
    assert_eq!(lines(&out, design), ["40|7"]);
}

#[test]
fn a_dry_run_shows_what_would_be_fetched_and_fetches_the_list_alone() {
    let (server, folder) = (mirror(5), Folder::new());
    let said = robostat(["ingest", "--dry-run", "--from", "C-1"])
        .args(["--base", &server.url("/m"), "--sample", "2"])
        .arg(folder.path("out"))
        .succeed();
    let is_fetched = |line: &str| line.ends_with(".warc.gz: to be fetched");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.lines().all(is_fetched), "{said}");
    assert_eq!(server.asked().len(), 1);
    assert!(!folder.path("out").exists());
}

/// A list of these lines, packed.
fn packed(folder: &Folder, lines: impl Iterator<Item = String>) -> std::path::PathBuf {
    let lines: String = lines.map(|line| line + "\n").collect();
    folder.write("list.paths.gz", &gzip(lines.as_bytes()))
}

#[test]
fn a_line_that_a_list_repeats_is_read_and_told_once() {
    let folder = Folder::new();
    folder.write("a.warc.gz", &warc("a", 2));
    let names = ["a.warc.gz", "missing.warc.gz"];
    let list = packed(&folder, (0..400_000).map(|line| names[line % 2].to_owned()));
    let mut command = quick();
    command.current_dir(folder.path("")).args(["--files-from"]);
    let (summary, said) = run(command.arg(list).arg(folder.path("out")), 3);
    assert_eq!(numbers(&summary, ["inputs", "inputs_unreadable"]), [1, 1]);
    assert!(said.contains("repeat an earlier one: 399998"), "{said}");
    assert!(said.lines().count() < 6, "{said}");
    let list = folder.write("nuls", "a.warc.gz\0".repeat(400_000).as_bytes());
    let mut command = quick();
    command.current_dir(folder.path("")).args(["--files0-from"]);
    let (summary, said) = run(command.arg(list).arg(folder.path("other")), 0);
    assert_eq!(summary["inputs"], 1);
    assert_eq!(summary["skipped"], serde_json::json!([]));
    assert!(said.contains("repeat an earlier one: 399999"), "{said}");
    // A path has an end.
    let list = folder.write("no-nul", &vec![b'x'; 1 << 20]);
    let (_, said) = run(
        quick()
            .arg("--files0-from")
            .arg(list)
            .arg(folder.path("none")),
        1,
    );
    assert!(said.contains("not a list of paths with a NUL"), "{said}");
    assert!(said.len() < 1000, "{} bytes", said.len());
}

#[test]
fn messages_of_one_kind_are_counted_after_the_first_ten() {
    let folder = Folder::new();
    folder.write("a.warc.gz", &warc("a", 2));
    let missing = (0..5000).map(|number| format!("{number}.warc.gz"));
    let list = packed(&folder, missing.chain(["a.warc.gz".to_owned()]));
    for quiet in [&[][..], &["--quiet"]] {
        let mut command = quick();
        command
            .current_dir(folder.path(""))
            .args(quiet)
            .arg("--force");
        let (summary, said) = run(command.arg(&list).arg(folder.path("out")), 3);
        assert_eq!(summary["inputs_unreadable"], 5000);
        assert_eq!(summary["skipped"].as_array().map(Vec::len), Some(5000));
        assert_contains(&said, &["… and 4,990 more: skipped, unreadable"]);
        assert!(said.lines().count() < 16, "{said}");
    }
}

#[test]
fn a_list_that_names_too_many_inputs_is_refused() {
    let folder = Folder::new();
    let list = packed(&folder, (0..=2_000_000).map(|number| number.to_string()));
    let mut command = quick();
    command.args(["--sample", "1", "--files-from"]);
    let (_, said) = run(command.arg(list).arg(folder.path("out")), 1);
    assert!(said.contains("more than 2,000,000 inputs"), "{said}");
    assert!(!folder.path("out").exists());
    // One line without an end.
    let line = packed(&folder, std::iter::once("x".repeat(100_000)));
    let (_, said) = run(quick().arg(line).arg(folder.path("out")), 1);
    assert!(said.contains("not a list of inputs"), "{said}");
}

#[test]
fn any_number_of_arguments_with_any_name_comes_from_standard_input() {
    let folder = Folder::new();
    // More than a command line holds, most of them links to the same file.
    let body = warc("a", 2);
    let odd = ["--force", "# one", " two ", "new\nline"].map(|name| format!("in/{name}.warc.gz"));
    let mut list = Vec::new();
    for (number, name) in odd.iter().enumerate() {
        folder.write(name, &warc(&format!("odd{number}"), 1));
    }
    let file = folder.write("a.warc.gz", &body);
    let name = "n".repeat(200);
    let names = (0..20_000).map(|number| format!("{name}/{number}.warc.gz"));
    for path in odd.into_iter().map(|it| format!("./{it}")).chain(names) {
        list.extend_from_slice(path.as_bytes());
        list.push(0);
    }
    list.extend_from_slice(file.as_os_str().as_encoded_bytes());
    let list = folder.write("list", &list);
    let stdin = std::fs::File::open(&list).expect("a list");
    let out = folder.path("out");
    let mut command = quick();
    command
        .current_dir(folder.path(""))
        .args(["--files0-from", "-"]);
    let (summary, _) = run(command.arg(&out).stdin(stdin), 3);
    assert_eq!(
        numbers(&summary, ["inputs", "inputs_unreadable"]),
        [5, 20_000]
    );
    assert_eq!(summary["captures"], 6);

    let sources = folder.write("sources", out.as_os_str().as_encoded_bytes());
    let merged = folder.path("merged");
    let mut merge = robostat(["merge", "--quiet", "--files0-from"]);
    merge.arg(sources).arg("--output").arg(&merged).succeed();
    assert_eq!(lines(&merged, "SELECT count(*) FROM captures"), ["6"]);
}
