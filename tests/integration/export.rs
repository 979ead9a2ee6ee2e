//! `robostat export`: data cards name every part, and what it holds, as it is.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, ingest, parts, robostat, sample, text};
use crate::support::{duckdb, sha256};

/// A card of the dataset in `out`, printed.
#[track_caller]
fn card(out: &Path, format: &str, arguments: &[&str]) -> Value {
    let output = robostat([
        "export", "--for", format, "--output", "-", "--name", "robots",
    ])
    .args(["--license", "CC-BY-4.0"])
    .args(arguments)
    .arg(out)
    .output()
    .expect("a run");
    assert!(output.status.success(), "{}", text(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn strings<'v>(values: &'v Value, key: &str) -> BTreeSet<&'v str> {
    let values = values.as_array().expect("an array").iter();
    values.filter_map(|value| value[key].as_str()).collect()
}

#[test]
fn a_card_names_every_file_with_its_digest() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    let input = sample("crawl.warc.zst");
    ingest(&["--crawl", "a b"], &input, &out, 0);
    let files = parts(&out);
    assert!(files.len() > 10);

    let croissant = card(&out, "croissant", &[]);
    let objects = croissant["distribution"].as_array().expect("an array");
    let data_package = card(&out, "frictionless", &[]);
    let resources = data_package["resources"].as_array().expect("an array");
    for (path, bytes) in &files {
        let path = path.to_str().expect("UTF-8");
        let object = objects.iter().find(|it| it["contentUrl"] == path);
        let object = object.unwrap_or_else(|| panic!("{path}"));
        assert_eq!(object["contentSize"], format!("{} B", bytes.len()));
        assert_eq!(object["sha256"], sha256(bytes));
        let resource = resources.iter().find(|it| it["path"] == path);
        let resource = resource.unwrap_or_else(|| panic!("{path}"));
        assert_eq!(resource["bytes"], bytes.len());
        assert_eq!(resource["hash"], format!("sha256:{}", sha256(bytes)));
    }

    // Every table and column of the schema that has a file, and no other.
    let output = robostat(["schema", "--json"]).output().expect("a run");
    let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let is_there = |name: &str| {
        files.keys().any(|path| path.starts_with(name))
            || files.contains_key(Path::new(&format!("{name}.parquet")))
    };
    let tables = schema.as_array().expect("tables").iter();
    let tables: Vec<&Value> = tables
        .filter(|table| table["name"].as_str().is_some_and(is_there))
        .collect();
    assert_eq!(tables.len(), resources.len());
    for table in tables {
        let name = table["name"].as_str().expect("a name");
        let set = croissant["recordSet"].as_array().expect("an array").iter();
        let set = set.clone().find(|set| set["name"] == name).expect(name);
        assert_eq!(
            strings(&set["field"], "name"),
            strings(&table["columns"], "name")
        );
        let resource = resources.iter().find(|it| it["name"] == name).expect(name);
        let mut columns = strings(&table["columns"], "name");
        // In the directories' names, not in the files.
        if table["columns"][0]["partition"] == true {
            assert!(columns.remove("crawl"));
        }
        assert_eq!(strings(&resource["schema"]["fields"], "name"), columns);
    }
}

#[test]
fn a_card_says_what_the_publisher_says_and_how_it_was_made() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    ingest(
        &["--subset", "robotstxt"],
        &sample("crawl.warc.zst"),
        &out,
        0,
    );
    let arguments = [
        "--title",
        "Robots of August",
        "--description",
        "A sample.",
        "--creator",
        "A. Author",
        "--creator",
        "B. Body",
        "--url",
        "https://example.org/d",
        "--base-url",
        "https://example.org/d/files/",
        "--published",
        "2026-11-22",
        "--dataset-version",
        "1.2.0",
    ];
    let card = card(&out, "croissant", &arguments);
    assert_eq!(card["license"], "https://spdx.org/licenses/CC-BY-4.0.html");
    assert_eq!(card["datePublished"], "2026-11-22");
    assert_eq!(card["version"], "1.2.0");
    assert_eq!(card["alternateName"], "Robots of August");
    assert_eq!(card["temporalCoverage"], "2023-01-02/2026-08-29");
    assert_eq!(
        strings(&card["creator"], "name"),
        BTreeSet::from(["A. Author", "B. Body"])
    );
    let description = card["description"].as_str().expect("text");
    assert!(
        description.starts_with("A sample. Made by robostat "),
        "{description}"
    );
    assert_contains(description, &["from 1 archive (160084 bytes)"]);
    assert_contains(description, &["359 captures fetched from 2023-01-02"]);
    let citation = card["citeAs"].as_str().expect("text");
    assert_contains(citation, &["author = {A. Author and B. Body}"]);
    assert!(citation.contains("year = {2026}"), "{citation}");
    for object in card["distribution"].as_array().expect("an array") {
        if let Some(url) = object["contentUrl"].as_str() {
            assert!(url.starts_with("https://example.org/d/files/"), "{url}");
        }
    }
}

/// The card, the methods of a report and `corpus` count what could not be read.
#[test]
fn damage_is_counted() {
    let folder = Folder::new();
    let whole = fs::read(sample("crawl.warc.gz")).expect("the sample");
    for damaged in [0, 3] {
        let inputs = folder.path(&format!("inputs-{damaged}"));
        fs::create_dir(&inputs).expect("space");
        let mut bytes = whole.clone();
        for place in 1..damaged {
            bytes[whole.len() / 4 * place] ^= 0xff;
        }
        fs::write(inputs.join("one.warc.gz"), bytes).expect("space");
        fs::copy(sample("crawl.warc"), inputs.join("two.warc")).expect("space");
        let out = folder.path(&format!("out-{damaged}"));
        let code = if damaged > 0 { 3 } else { 0 };
        ingest(&[], &inputs, &out, code);
        if damaged > 0 {
            // The one response of another crawl is cut off.
            let cut = folder.write("cut.warc.gz", &whole[..1000]);
            ingest(&["--crawl", "cut"], &cut, &out, code);
        }
        let count = "SELECT (SELECT count(*) FROM damage) AS damaged_records,
            (SELECT count(DISTINCT input_id) FROM damage) AS damaged_inputs";
        let counted = duckdb::run(&out.join("views.sql"), count);
        assert_eq!(counted[0]["damaged_records"], damaged);
        let columns = "SELECT damaged_records, damaged_inputs FROM corpus() WHERE crawl IS NULL";
        assert_eq!(duckdb::run(&out.join("views.sql"), columns), counted);

        let card = card(&out, "croissant", &[]);
        let report = robostat([
            "report",
            "--format",
            "json",
            "--sections",
            "summary",
            "-o",
            "-",
        ])
        .arg(&out)
        .output()
        .expect("a run");
        let report: Value = serde_json::from_slice(&report.stdout).expect("JSON");
        let (description, methods) = (
            card["description"].to_string(),
            report["methods"].to_string(),
        );
        if damaged > 0 {
            assert_contains(&description, &["could not be read: 3, in 2 archives."]);
            assert_contains(
                &methods,
                &["3 ranges of bytes, in 2 of these files, are damaged"],
            );
        } else {
            assert_contains(&description, &["could not be read: none."]);
            assert!(!methods.contains("damaged"), "{methods}");
        }
    }
}

#[test]
fn a_table_of_several_parts_is_one_resource() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    for crawl in ["2025", "2026"] {
        ingest(
            &["--crawl", crawl, "--force"],
            &sample("crawl.warc.gz"),
            &out,
            0,
        );
    }
    ingest(&["--crawl", "2024"], &sample("crawl.warc.zst"), &out, 0);
    let card = card(&out, "frictionless", &[]);
    let captures = card["resources"].as_array().expect("an array").iter();
    let captures = captures
        .clone()
        .find(|it| it["name"] == "captures")
        .expect("captures");
    let paths: Vec<&str> = captures["path"]
        .as_array()
        .expect("paths")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let of_captures = parts(&out)
        .into_keys()
        .filter(|path| path.starts_with("captures"));
    let on_disk: Vec<_> = of_captures.collect();
    assert_eq!(
        paths,
        on_disk
            .iter()
            .filter_map(|path| path.to_str())
            .collect::<Vec<_>>()
    );
    assert!(paths.len() > 1);
    assert_eq!(strings(&captures["parts"], "path").len(), paths.len());
}

#[test]
fn the_card_lies_in_the_dataset_which_stays_as_it_is() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    ingest(&[], &sample("crawl.warc.zst"), &out, 0);
    let arguments = ["--name", "robots", "--license", "https://example.org/terms"];
    for (format, name) in [
        ("croissant", "croissant.json"),
        ("frictionless", "datapackage.json"),
    ] {
        let output = robostat(["export", "--for", format])
            .args(arguments)
            .arg(&out)
            .output();
        let output = output.expect("a run");
        assert!(output.status.success(), "{}", text(&output));
        assert!(text(&output).contains(name), "{}", text(&output));
        let card = fs::read(out.join(name)).expect("a card");
        assert!(serde_json::from_slice::<Value>(&card).is_ok());
    }
    robostat(["verify"]).arg(&out).succeed();
    // And the next ingest finds a dataset, not a directory with other things in it.
    ingest(&[], &sample("crawl.warc.gz"), &out, 0);

    // A part that is not as it was committed, though as long, is not vouched for.
    let path = out.join("damage/part-000001.parquet");
    let mut bytes = fs::read(&path).expect("a part");
    bytes[10] ^= 1;
    fs::write(&path, bytes).expect("space");
    let before = fs::read(out.join("croissant.json")).expect("a card");
    let errors = robostat(["export", "--for", "croissant"])
        .args(arguments)
        .arg(&out)
        .fail(1);
    assert_contains(&errors, &["damage/part-000001.parquet: other bytes"]);
    assert_eq!(
        fs::read(out.join("croissant.json")).expect("a card"),
        before
    );
}

#[test]
fn what_no_card_can_hold_is_refused() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    for (arguments, code, message) in [
        (
            &["--for", "croissant", "--name", "a", out][..],
            2,
            "--license",
        ),
        (
            &[
                "--for",
                "croissant",
                "--name",
                "A b",
                "--license",
                "MIT",
                out,
            ],
            2,
            "lower-case",
        ),
        (
            &[
                "--for",
                "croissant",
                "--name",
                "a",
                "--license",
                "my own",
                out,
            ],
            2,
            "SPDX",
        ),
        (
            &["--for", "csv", "--name", "a", "--license", "MIT", out],
            2,
            "croissant, frictionless",
        ),
        (
            &["--for", "croissant", "--name", "a", "--license", "MIT", out],
            1,
            "no robostat dataset",
        ),
    ] {
        let errors = robostat(["export"]).args(arguments).fail(code);
        assert!(errors.contains(message), "{message}: {errors}");
    }
}

/// Runs `robostat export --for duckdb`.
#[track_caller]
fn views(out: &Path, arguments: &[&str], code: i32) -> String {
    let output = robostat(["export", "--for", "duckdb"])
        .args(arguments)
        .arg(out)
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    String::from_utf8_lossy(&output.stdout).into_owned() + &text(&output)
}

#[test]
fn views_for_readers_name_no_path_of_this_machine() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    ingest(&["--crawl", "a b"], &sample("crawl.warc.zst"), &out, 0);
    let path = folder.path().to_str().expect("UTF-8");
    let read = |out: &Path| fs::read_to_string(out.join("views.sql")).expect("the file");
    let own = read(&out);
    assert!(own.contains(path));

    views(&out, &[], 0);
    assert!(!read(&out).contains(path));
    assert!(!out.join(".staging").exists());
    let status = robostat(["verify", "--quiet"]).arg(&out).status();
    assert!(status.expect("a run").success(), "it counts as intact");

    // Somewhere else, a reader says `duckdb -init views.sql`.
    let moved = folder.path().join("downloaded");
    fs::rename(&out, &moved).expect("renamed");
    let answer = Command::new(duckdb::program())
        .args(["-init", "views.sql", "-list", "-noheader", "-c"])
        .arg("SELECT DISTINCT crawl FROM hosts")
        .current_dir(&moved)
        .output()
        .expect("DuckDB");
    assert_eq!(String::from_utf8_lossy(&answer.stdout).trim(), "a b");

    // With -o, the dataset's own file stays.
    let before = read(&moved);
    let printed = views(&moved, &["--base-url", "s3://bucket/out/", "-o", "-"], 0);
    assert!(printed.contains("getvariable('dataset'), 's3://bucket/out') || '/'"));
    assert_eq!(read(&moved), before);
    let said = views(&moved, &["--base-url", "https://example.org/out"], 1);
    assert!(said.contains("leave --base-url out"), "{said}");

    // The next run puts the path back.
    let again = robostat(["ingest", "--quiet"])
        .args([&sample("crawl.warc.gz"), &moved])
        .status();
    assert!(again.expect("a run").success());
    assert!(read(&moved).contains(path));
}

#[test]
fn a_card_needs_a_licence_and_a_name() {
    let errors = robostat(["export", "out", "--for", "croissant"]).fail(2);
    let said = errors;
    assert_contains(&said, &["--license <LICENCE>", "--name <NAME>"]);
}

/// The words with which a card is made.
const CARD: [&str; 6] = [
    "--name",
    "robots",
    "--license",
    "CC-BY-4.0",
    "--creator",
    "A. Author",
];

#[test]
fn a_deposit_has_three_files_and_names_no_host() {
    let folder = tempdir().expect("a folder");
    let (out, deposit) = (folder.path().join("out"), folder.path().join("deposit"));
    ingest(
        &["--subset", "robotstxt"],
        &sample("crawl.warc.zst"),
        &out,
        0,
    );
    let export = |arguments: &[&str]| {
        let mut command = robostat(["export", "--for", "zenodo"]);
        command.args(arguments).arg(&out).arg("-o").arg(&deposit);
        command
    };
    let errors = export(&CARD[..4]).fail(2);
    assert_contains(&errors, &["--creator"]);
    export(&CARD).args(["--dataset-version", "2.0.0"]).succeed();
    let read = |name: &str| fs::read_to_string(deposit.join(name)).expect(name);
    let json: Value = serde_json::from_str(&read(".zenodo.json")).expect("JSON");
    assert_eq!(json["upload_type"], "dataset");
    assert_eq!(json["license"], "cc-by-4.0");
    assert_eq!(json["creators"][0]["name"], "A. Author");
    assert_eq!(json["version"], "2.0.0");
    let citation = read("CITATION.cff");
    let lines = [
        "cff-version: 1.2.0\n",
        "- name: \"A. Author\"\n",
        "license: \"CC-BY-4.0\"\n",
    ];
    assert_contains(&citation, &lines);
    let readme = read("README.md");
    assert_contains(
        &readme,
        &[
            "### captures\n",
            "| `fetch_status` | INTEGER |",
            "Rows: 359.",
        ],
    );
    let hosts = duckdb::lines(
        &out.join("views.sql"),
        "SELECT DISTINCT url_host_name FROM hosts",
    );
    assert!(hosts.len() > 100);
    for host in hosts.iter().filter(|host| host.ends_with(".example")) {
        assert!(
            !readme.contains(&**host) && !citation.contains(&**host),
            "{host}"
        );
    }
    // A licence of one's own has no identifier, which Zenodo would refuse.
    let own = [
        "--name",
        "robots",
        "--license",
        "https://example.org/terms",
        "--creator",
        "A",
    ];
    export(&own).succeed();
    let json: Value = serde_json::from_str(&read(".zenodo.json")).expect("JSON");
    assert!(json["license"].is_null());
    assert_eq!(json["notes"], "Licence: https://example.org/terms");
    assert_contains(
        &read("CITATION.cff"),
        &["license-url: \"https://example.org/terms\"\n"],
    );
}

#[test]
fn a_hub_card_has_a_configuration_for_each_table_with_its_files() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    for crawl in ["one", "two"] {
        let input = if crawl == "one" {
            "crawl.warc.zst"
        } else {
            "archives/fetches.arc"
        };
        ingest(&["--crawl", crawl], &sample(input), &out, 0);
    }
    robostat(["export", "--for", "huggingface"])
        .args(CARD)
        .arg(&out)
        .succeed();
    let card = fs::read_to_string(out.join("README.md")).expect("a card");
    let head = card
        .strip_prefix("---\n")
        .and_then(|it| it.split_once("\n---\n"))
        .expect("a head")
        .0;
    let paths = head
        .lines()
        .filter_map(|it| it.strip_prefix("    - \"")?.strip_suffix('"'));
    let paths: BTreeSet<&Path> = paths.map(Path::new).collect();
    let files = parts(&out);
    assert_eq!(paths, files.keys().map(|it| &**it).collect());
    let output = robostat(["verify"]).arg(&out).output().expect("a run");
    assert!(output.status.success(), "a card may be in the dataset");
    // Licences that the Hub does not know.
    let other = [
        "--name",
        "robots",
        "--license",
        "https://example.org/terms",
        "-o",
        "-",
    ];
    let card = robostat(["export", "--for", "huggingface"])
        .args(other)
        .arg(&out)
        .succeed();
    assert_contains(
        &card,
        &[
            "license: other\n",
            "license_link: \"https://example.org/terms\"\n",
        ],
    );
}

#[test]
fn datapackage_is_a_name_of_frictionless() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    ingest(&[], &sample("crawl.warc.zst"), &out, 0);
    assert_eq!(
        card(&out, "datapackage", &[]),
        card(&out, "frictionless", &[])
    );
    let errors = robostat(["export", "--for", "datapackage"])
        .arg(&out)
        .fail(2);
    assert_contains(&errors, &["--license", "--name"]);
}
