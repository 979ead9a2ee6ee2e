//! How the sites of a panel were chosen: recorded with the list, in datasets, cards and reports.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{CRAWLS, choose, files, mirror, ranks, step};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, robostat};
use crate::support::sha256;

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

/// What the first commit of a dataset says of its sites.
fn recorded(out: &Path) -> Value {
    json(&out.join("manifest/000001.json"))["panel"].take()
}

/// Finds and fetches the panel from files on this machine: its datasets.
fn fetch(folder: &Folder, panel: &Path) -> [PathBuf; 2] {
    let mirror = &*mirror(folder, &files(folder));
    let crawls = ["--crawl", &CRAWLS.join(",")];
    step("find", mirror, panel).args(crawls).succeed();
    step("fetch", mirror, panel).succeed();
    CRAWLS.map(|crawl| panel.join(crawl))
}

/// The text of a card, in one line.
fn card(format: &str, out: &Path) -> String {
    let words = ["--name", "panel", "--license", "MIT", "--creator", "A"];
    let path = out.join(format!("card-of-{format}"));
    let mut command = robostat(["export", "--for", format]);
    command.args(words).arg(out).arg("-o").arg(&path).succeed();
    let text = fs::read_to_string(&path);
    text.unwrap_or_else(|_| fs::read_to_string(path.join("README.md")).expect("a card"))
}

#[test]
fn datasets_cards_and_reports_name_the_sites_that_were_drawn() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    choose(&folder, &panel);
    let sites = panel.join("sites.csv");
    let written = json(&panel.join("sites.csv.json"));
    let digest = |path: &Path| sha256(&fs::read(path).expect("a file"));
    assert_eq!(written["sites"], 40);
    assert_eq!(written["sha256"], digest(&sites));
    let draw = &written["draw"];
    assert_eq!(draw["ranks"], "tranco.csv");
    assert_eq!(draw["ranks_sha256"], digest(&ranks(&folder)));
    assert_eq!(
        (&draw["seed"], &draw["per_stratum"]),
        (&1.into(), &20.into())
    );
    let strata = draw["strata"].as_array().expect("strata");
    let strata: Vec<String> = strata
        .iter()
        .map(|it| format!("{} {} {}", it["stratum"], it["sites"], it["listed"]))
        .collect();
    assert_eq!(strata, ["\"1-20\" 20 20", "\"21+\" 20 40"]);

    let datasets = fetch(&folder, &panel);
    for out in &datasets {
        assert_eq!(recorded(out), written);
        robostat(["verify"]).arg(out).succeed();
    }
    let merged = folder.path("merged");
    let mut merge = robostat(["merge", "-o"]);
    merge.arg(&merged).args(&datasets).succeed();
    assert_eq!(recorded(&merged), written);
    let said = [
        "a panel of 40 sites",
        &digest(&sites),
        "with seed 1 from tranco.csv",
        &digest(&ranks(&folder)),
        "20 of the 20 with rank 1-20, 20 of the 40 with rank 21+",
    ];
    for format in ["croissant", "datapackage", "huggingface", "zenodo"] {
        let card = card(format, &merged);
        assert_contains(&card, &said);
        assert_contains(&card, &["bytes of these captures"]);
    }
    let report = robostat(["report", "--format", "markdown", "-o", "-"])
        .args(&datasets)
        .succeed();
    assert_contains(&report, &said);
    let words = [
        " hosts of 40 chosen sites, 2 crawls",
        "The 2 strata were drawn at different rates",
    ];
    assert_contains(&report, &words);

    // With captures of other sites, it is not a panel any more.
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/crawl.warc.gz");
    let mut ingest = robostat(["ingest", "--quiet"]);
    ingest.arg(sample).arg(&merged).succeed();
    assert!(!card("croissant", &merged).contains("panel of"));
}

#[test]
fn a_list_of_ones_own_has_its_number_and_digest() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    choose(&folder, &panel);
    // The list was changed after it was drawn, and names a site twice.
    let list = b"domain\ns2.example\nS4.example\ns4.example\n";
    folder.write("panel/sites.csv", list);
    let [out, other] = fetch(&folder, &panel);
    let expected = serde_json::json!({ "sites": 2, "sha256": sha256(list) });
    assert_eq!(
        (recorded(&out), recorded(&other)),
        (expected.clone(), expected)
    );
    let said = format!(
        "a panel of 2 chosen sites (SHA-256 of their list: {})",
        sha256(list)
    );
    assert_contains(&card("croissant", &out), &[&said]);
    // Datasets of two panels are not a panel.
    let panel = folder.path("second");
    folder.write("second/sites.csv", b"domain\ns6.example\n");
    let [_, second] = fetch(&folder, &panel);
    let merged = folder.path("merged");
    let mut merge = robostat(["merge", "-o"]);
    merge.args([&merged, &out, &second]).succeed();
    assert!(recorded(&merged).is_null());
}
