//! The sites of a panel: how they are drawn, and lists of which no panel can be made.

use super::super::nobody;
use super::super::server::{Answer, Server};
use super::{CRAWLS, command, files, mirror, ranks, step};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, robostat, text};

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
    for (stratum, sites) in [(",1-10,", 10.0), (",11-30,", 20.0), (",31+,", 30.0)] {
        assert!((weight(&small, stratum) - sites).abs() < 1e-3, "{small:?}");
        assert!((weight(&large, stratum) - sites).abs() < 1e-3, "{large:?}");
    }
    for (content, words) in [
        ("rank,domain\n", "no column has names of domains"),
        ("", "there are no sites in the list"),
        ("<html>Busy</html>", "no column has names of domains"),
        (
            "1,a.example\n2,b.example\nmany,c.example\n4,d.example\n",
            "empty.csv:3: the rank of c.example is not a number: many",
        ),
    ] {
        let list = folder.write("empty.csv", content.as_bytes());
        let said = command(&["panel", "choose", "--per-stratum", "5", "--ranks"])
            .arg(list)
            .fail(1);
        assert_contains(&said, &["empty.csv", words]);
        assert!(!said.contains("Error"), "{said}");
    }
}

#[test]
fn names_that_are_not_looked_up_are_not_drawn() {
    let folder = Folder::new();
    let lines = "1,a.example\n2,xn--a.example\n3,B\u{fc}cher.example\n4,not a host\n\
                 5,www.xn--bcher-kva.example\n6,c.example\n";
    let ranks = folder.write("ranks.csv", lines.as_bytes());
    let list = folder.path("panel/sites.csv");
    let mut choose = command(&["panel", "choose", "--strata", "2", "--per-stratum", "9"]);
    choose.arg("--ranks").arg(ranks).arg("-o").arg(&list);
    let said = text(&choose.output().expect("a run"));
    let words = "not names of sites: 2; the first, in line 2: `xn--a.example`\n";
    assert_contains(&said, &[words]);
    let expected = "domain,rank,stratum,weight\na.example,1,1-2,1.0\n\
                    xn--bcher-kva.example,3,3+,1.0\nc.example,6,3+,1.0\n";
    assert_eq!(std::fs::read_to_string(list).expect("a list"), expected);
}

#[test]
fn numbers_of_a_choice_are_checked_before_it_runs() {
    for (option, value, words) in [
        ("--per-stratum", "-5", "1 or more"),
        ("--per-stratum", "0", "1 or more"),
        ("--seed", "-1", "0 or more"),
        ("--strata", "100,10", "larger than the rank before it"),
        ("--strata", "100,,1000", "1 or more"),
    ] {
        let words = [option, value, words];
        let mut command = command(&["panel", "choose", "--ranks", "none.csv", option, value]);
        if option != "--per-stratum" {
            command.args(["--per-stratum", "5"]);
        }
        assert_contains(&command.fail(2), &words);
    }
}

#[test]
fn sites_are_found_however_their_names_are_written() {
    let folder = Folder::new();
    let (panel, mirror) = (folder.path("panel"), mirror(&folder, &files(&folder)));
    let find = || {
        let mut find = step("find", &mirror, &panel);
        find.args(["--crawl", CRAWLS[0]]);
        find
    };
    for (list, words) in [
        (
            "domain\n\ns2.example\n7\n",
            "sites.csv: line 4: `7` is not the name of a site",
        ),
        (
            "rank,domain\n1,s2.example\n2\n",
            "sites.csv: line 3: `` is not the name of a site",
        ),
        (
            "domain,weight\ns2.example,1\ns4.example,0\n",
            "sites.csv: line 3: the weight of s4.example is not a number above 0: `0`",
        ),
        (
            "domain,weight\ns2.example,inf\n",
            "line 2: the weight of s2.example is not a number above 0: `inf`",
        ),
        (
            "Domain;Weight\ns2.example\n",
            "line 2: the weight of s2.example is not a number above 0: ``",
        ),
        (
            "domain,weight\ns2.example,2\ns4.example,1\nwww.s2.example,2.5\n",
            "line 4: `www.s2.example` has another stratum or weight than in line 2",
        ),
        (
            "domain,stratum\ns2.example,1-10\ns2.example,11+\n",
            "line 3: `s2.example` has another stratum or weight than in line 2",
        ),
        (
            "1,s2.example\n",
            "sites.csv: the list of sites has no column `domain`",
        ),
        (
            "s2.example\n",
            "sites.csv: the list of sites has no column `domain`",
        ),
    ] {
        folder.write("panel/sites.csv", list.as_bytes());
        assert_contains(&find().fail(1), &[words]);
    }
    let list = "\u{feff}Rank;Domain\n1;https://www.s2.example/x?y\n2;WWW.S4.example.\n\
                3;s6.example:443\n4;s4.example\n5;B\u{fc}cher.example\n6;nowhere.example\n";
    folder.write("panel/sites.csv", list.as_bytes());
    let said = text(&find().output().expect("a run"));
    assert_contains(
        &said,
        &[
            "CC-MAIN-2025-33: sites: 3 of 5, records: 3",
            "sites in none of these crawls: 2 of 5: nowhere.example, xn--bcher-kva.example\n",
        ],
    );
    // The same sites, written otherwise, are the same panel.
    folder.write(
        "panel/sites.csv",
        "domain\nxn--bcher-kva.example\ns2.example\ns4.example\ns6.example\nnowhere.example\n"
            .as_bytes(),
    );
    assert_contains(
        &text(&find().output().expect("a run")),
        &["found before", "2025-33: sites: 3 of 5", ": 2 of 5"],
    );
}

#[test]
fn a_server_that_refuses_or_is_gone_ends_the_search() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    folder.write("panel/sites.csv", b"domain\na.example\n");
    let find = |base: &str| {
        let mut find = step("find", base, &panel);
        find.args(["--crawl", "A,B,C"]).fail(1)
    };
    let server = Server::new(|_| Answer::new(503, b""));
    let said = find(&server.url(""));
    assert_contains(
        &said,
        &["crawl-data/A/", "the server refuses requests", "remain"],
    );
    assert!(!said.contains("crawl-data/B/"), "{said}");
    assert_contains(&find(&nobody()), &["crawl-data/A/", "refused"]);
}

#[test]
fn a_panel_without_sites_or_crawls_is_refused() {
    let folder = Folder::new();
    let (panel, empty) = (folder.path("panel"), folder.path(""));
    let empty = empty.to_str().expect("a path");
    let find = |base: &str, crawl: &str, code: i32| {
        step("find", base, &panel)
            .args(["--crawl", crawl])
            .fail(code)
    };
    assert_contains(&find(empty, "X", 1), &["`robostat panel choose -o"]);
    for (list, words) in [
        ("domain\n", "sites.csv: the list of sites is empty"),
        (
            "site\na.example\n",
            "no column `domain`; its first line must",
        ),
        ("", "no column `domain`"),
    ] {
        folder.write("panel/sites.csv", list.as_bytes());
        assert_contains(&find(empty, "X", 1), &["sites.csv: ", words]);
    }
    // Nothing was found for a list that is put right.
    folder.write("panel/sites.csv", b"domain\na.example\n");
    let said = find(empty, "X", 3);
    assert_contains(&said, &["/crawl-data/X/", "No such file"]);
    folder.write("panel/sites.csv", b"domain\nb.example\n");
    let said = find(empty, "X,X", 3);
    assert_contains(&said, &["crawls that are missing: 1"]);
    let said = step("fetch", empty, &panel).fail(1);
    assert_contains(
        &said,
        &["index: no crawl was found; run `robostat panel find` first"],
    );
    for base in ["ftp://x/", "data.commoncrawl.org", "https://"] {
        assert_contains(&find(base, "X", 2), &[&format!("--base {base}: ")]);
    }
    let words = "neither a directory nor an address, which begins with https://";
    assert_contains(&find("data.commoncrawl.org", "X", 2), &[words]);
    // The name of a crawl is one of a file too.
    let said = find(empty, "../X", 2);
    assert_contains(&said, &["a crawl is named like CC-MAIN-2026-34"]);
}

#[test]
fn sites_with_records_are_not_replaced() {
    let folder = Folder::new();
    let (panel, ranks) = (folder.path("panel"), ranks(&folder));
    let sites = panel.join("sites.csv");
    let choose = |number: &str| {
        let mut command = command(&["panel", "choose", "--strata", "30", "--per-stratum", number]);
        command.arg("--ranks").arg(&ranks).arg("-o").arg(&sites);
        command
    };
    choose("5").succeed();
    let empty = folder.path("");
    step("find", empty.to_str().expect("a path"), &panel)
        .args(["--crawl", "X"])
        .fail(3);
    // Nothing was found.
    choose("6").succeed();
    step("find", &mirror(&folder, &files(&folder)), &panel)
        .args(["--crawl", &CRAWLS.join(",")])
        .succeed();
    choose("6").succeed();
    let words = ["index has records of other sites", "or remove", "index\n"];
    assert_contains(&choose("7").fail(1), &words);
    command(&["panel", "fetch"]).arg(&panel).succeed();
    let remedy = format!(
        "{} and {}\n",
        panel.join("index").display(),
        panel.join("CC-MAIN-*").display()
    );
    assert_contains(&choose("7").fail(1), &[&remedy]);
    // A list that is longer than what was looked up.
    let list = std::fs::read_to_string(&sites).expect("a list");
    std::fs::write(&sites, format!("{list}new.example,1,1-30,1\n")).expect("space");
    let fetch = command(&["panel", "fetch"]).arg(&panel).output();
    let said = text(&fetch.expect("a run"));
    assert_contains(&said, &["sites of the list that were not looked up: 1; "]);
    // Which is also what commands on datasets need.
    for words in [&["query"][..], &["verify"], &["report", "-o", "x.html"]] {
        let said = robostat(words).arg(&panel).fail(1);
        let datasets = panel.join("CC-MAIN-*");
        assert_contains(
            &said,
            &[&format!("name the datasets in it: {}", datasets.display())],
        );
    }
    // A crawl that was found, and is not fetched.
    let out = panel.join(CRAWLS[0]);
    std::fs::remove_dir_all(&out).expect("a dataset");
    std::fs::create_dir(&out).expect("space");
    let said = robostat(["query"]).arg(&out).arg("corpus").fail(1);
    let words = format!("`robostat panel fetch {}/` fetches it", panel.display());
    assert_contains(&said, &[&words]);
}
