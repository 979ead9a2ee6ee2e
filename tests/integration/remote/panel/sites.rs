//! The sites of a panel: how they are drawn, and lists of which no panel can be made.

use super::{command, ranks, step};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains};

#[test]
fn sites_are_drawn_by_stratum_and_seed() {
    let folder = Folder::new();
    let ranks = ranks(&folder);
    let choose = |per_stratum: &str, seed: &str| -> Vec<String> {
        let words = [
            "panel",
            "choose",
            "--strata",
            "10,30",
            "--per-stratum",
            per_stratum,
        ];
        let run = command(&words)
            .args(["--seed", seed, "--ranks"])
            .arg(&ranks)
            .succeed();
        run.lines().map(str::to_owned).collect()
    };
    let (small, large) = (choose("5", "1"), choose("15", "1"));
    assert_eq!(small[0], "domain,rank,stratum,weight");
    assert_eq!((small.len(), large.len()), (1 + 15, 1 + 40));
    let domains = |lines: &[String]| -> Vec<String> {
        lines
            .iter()
            .map(|it| it.split(',').next().expect("a domain").to_owned())
            .collect()
    };
    let all = domains(&large);
    assert!(domains(&small).iter().all(|it| all.contains(it)));
    assert_eq!(choose("5", "1"), small);
    assert_ne!(choose("5", "2"), small);
    // Weights add up to the list.
    let weight = |lines: &[String], stratum: &str| -> f64 {
        let rows = lines.iter().filter(|it| it.contains(stratum));
        rows.map(|it| {
            it.rsplit(',')
                .next()
                .expect("a weight")
                .parse::<f64>()
                .expect("it")
        })
        .sum()
    };
    for (stratum, sites) in [(",1-10,", 10.0), (",11-30,", 20.0), (",31-,", 30.0)] {
        assert!((weight(&small, stratum) - sites).abs() < 1e-3, "{small:?}");
        assert!((weight(&large, stratum) - sites).abs() < 1e-3, "{large:?}");
    }
    for (content, words) in [
        ("rank,domain\n", "no column has names of domains"),
        ("", "there are no sites in the list"),
        ("<html>Busy</html>", "no column has names of domains"),
    ] {
        let list = folder.write("empty.csv", content.as_bytes());
        let said = command(&["panel", "choose", "--per-stratum", "5", "--ranks"])
            .arg(list)
            .fail(1);
        assert_contains(&said, &["empty.csv: ", words]);
    }
}

#[test]
fn a_panel_without_sites_or_crawls_is_refused() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    let find = |base: &str| step("find", base, &panel).args(["--crawl", "X"]).fail(1);
    assert_contains(&find("nowhere"), &["`robostat panel choose -o"]);
    folder.write("panel/sites.csv", b"domain\n");
    assert_contains(&find("nowhere"), &["sites.csv: the list of sites is empty"]);
    folder.write("panel/sites.csv", b"site\na.example\n");
    assert_contains(&find("nowhere"), &["sites.csv: ", "\"domain\" not found"]);
    // Nothing was found for a list that is put right.
    folder.write("panel/sites.csv", b"domain\na.example\n");
    let find = |base: &str| step("find", base, &panel).args(["--crawl", "X"]).fail(3);
    assert_contains(
        &find("nowhere"),
        &["X: nowhere/crawl-data/X/", "No such file"],
    );
    folder.write("panel/sites.csv", b"domain\nb.example\n");
    let output = step("find", "ftp://x/", &panel)
        .args(["--crawl", "X"])
        .fail(3);
    assert_contains(&output, &["crawls that are missing: 1"]);
    let said = step("fetch", "nowhere", &panel).fail(1);
    assert_contains(
        &said,
        &["index: no crawl was found; run `robostat panel find` first"],
    );
    // The name of a crawl is one of a file too, and sites with records are not replaced.
    let said = step("find", "nowhere", &panel)
        .args(["--crawl", "../X"])
        .fail(2);
    assert_contains(&said, &["a crawl is named like CC-MAIN-2026-34"]);
    let said = command(&["panel", "choose", "--per-stratum", "5", "--ranks"])
        .args([ranks(&folder), "-o".into(), panel.join("sites.csv")])
        .fail(1);
    assert_contains(&said, &["index has records of other sites"]);
}
