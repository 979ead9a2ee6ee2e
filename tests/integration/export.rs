//! Data cards name every part and its rows as they are; `tests/cases/export.md` has the rest of
//! `robostat export`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::folder::Folder;
use crate::support::program::{assert_contains, ingest, parts, robostat, sample, text};
use crate::support::{duckdb, sha256};

/// A card of the dataset in `out`, printed.
#[track_caller]
fn card(out: &Path, format: &str) -> Value {
    let output = robostat([
        "export", "--for", format, "--output", "-", "--name", "robots",
    ])
    .args(["--license", "CC-BY-4.0"])
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

    let croissant = card(&out, "croissant");
    let objects = croissant["distribution"].as_array().expect("an array");
    let data_package = card(&out, "frictionless");
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

        let card = card(&out, "croissant");
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
