//! The samples of archives are what is made of the sample of JSON Lines; `ROBOSTAT_UPDATE=1` makes
//! them again.

use std::fs;

use serde_json::Value;

use crate::support::program::{ingest, sample};

use super::archives::arc_records;
use super::zips::{wacz, zip};
use super::{Fetch, Folder, captures, tables, warc};

/// The fetches of the sample that had an answer.
fn sample_fetches() -> Vec<Fetch> {
    let lines = fs::read_to_string(sample("fetches/fetches.jsonl")).expect("a sample");
    let fetch = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let headers = line["headers"].as_object()?.iter();
        Some(Fetch {
            url: text(&line["url"]),
            // They live as long as the test.
            time: text(&line["fetched_at"]).leak(),
            status: u16::try_from(line["status"].as_u64()?).expect("a code"),
            headers: headers
                .map(|(name, value)| (&*name.clone().leak(), text(value)))
                .collect(),
            body: text(&line["body"]).into_bytes(),
        })
    };
    lines.lines().filter_map(fetch).collect()
}

#[test]
fn the_samples_of_archives_are_the_same_fetches() {
    let fetches = sample_fetches();
    assert_eq!(fetches.len(), 5);
    let sites = ["shop.example", "news.example", "old.example"].map(|host| {
        let path = format!("{host}/robots.txt");
        let bytes = fs::read(sample("sites").join(&path)).expect("a sample");
        (path, bytes)
    });
    let sites = sites
        .each_ref()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice(), false));
    let made = [
        ("archives/fetches.arc", arc_records(&fetches, 1).concat()),
        (
            "archives/fetches.wacz",
            wacz(&[("archive/fetches.warc", &warc(&fetches))]),
        ),
        ("sites.zip", zip(&sites)),
    ];
    let folder = Folder::new();
    let lines = fs::read(sample("fetches/fetches.jsonl")).expect("a sample");
    let (_, expected) = folder.ingest_file("a.jsonl", &lines, &[], 0);
    for (name, bytes) in made {
        let path = sample(name);
        if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
            fs::create_dir_all(path.parent().expect("a folder")).expect("space");
            fs::write(&path, &bytes).expect("space");
        }
        assert!(
            fs::read(&path).expect("a sample") == bytes,
            "{name}: ROBOSTAT_UPDATE=1 makes it"
        );
        let out = folder.path("out");
        ingest(&["--verify-digests"], &path, &out, 0);
        assert!(tables(&out) == tables(&expected), "{name}");
        let of_sample = captures(&out);
        assert!(
            name == "sites.zip" || of_sample == captures(&expected)[..5],
            "{name}"
        );
        fs::remove_dir_all(out).expect("a dataset");
    }
}
