//! Lists of the user's: ranks, labels and weights of domains, in the forms in which they are
//! published.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::tempdir;

use crate::support::mini_warc::{MiniWarc, SAMPLE};
use crate::support::program::{assert_contains, robostat, text};

/// Domains of the sample, by their ranks in the sample's list.
fn domains() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/ranks.csv");
    let list = fs::read_to_string(path).expect("a list");
    let lines = list.lines().skip(1);
    let names = lines.map(|line| line.split_once(',').expect("two cells").1.to_owned());
    names.collect()
}

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    robostat(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a run")
}

fn query(folder: &Path, arguments: &[&str]) -> Output {
    let dataset = SAMPLE.path();
    let dataset = dataset.to_str().expect("UTF-8");
    run_in(folder, &[&["query", dataset][..], arguments].concat())
}

/// A list with a line for each domain, after a first line.
fn list(head: &str, line: impl Fn(usize, &str) -> String) -> String {
    let domains = domains();
    let lines = domains.iter().enumerate();
    let lines = lines.map(|(place, domain)| line(place + 1, domain) + "\n");
    head.to_owned() + &lines.collect::<String>()
}

#[test]
fn published_lists_of_ranks_all_give_the_same_answer() {
    let folder = tempdir().expect("a folder");
    let tranco = list("", |rank, domain| format!("{rank},{domain}"));
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(tranco.as_bytes()).expect("packed");
    let lists: Vec<(&str, Vec<u8>)> = vec![
        ("tranco.csv", tranco.clone().into_bytes()),
        ("packed.csv.gz", packed.finish().expect("packed")),
        ("umbrella.csv", tranco.replace('\n', "\r\n").into_bytes()),
        (
            "turned.csv",
            list("domain,rank\n", |rank, domain| format!("{domain},{rank}")).into(),
        ),
        (
            "heads.csv",
            list("Rank,Domain\n", |rank, domain| format!("{rank},{domain}")).into(),
        ),
        (
            "majestic.csv",
            list(
                "GlobalRank,TldRank,Domain,TLD,RefSubNets\n",
                |rank, domain| format!("{rank},1,{domain},com,77"),
            )
            .into(),
        ),
        (
            "turned-majestic.csv",
            list("TldRank,GlobalRank,IDN_Domain,Domain\n", |rank, domain| {
                format!("1,{rank},{domain},{}", domain.to_uppercase())
            })
            .into(),
        ),
        (
            "crux.csv",
            list("origin,rank\n", |rank, domain| {
                format!("https://{domain},{rank}")
            })
            .into(),
        ),
        (
            "list.tsv",
            list("rank\tdomain\n", |rank, domain| format!("{rank}\t{domain}")).into(),
        ),
    ];
    let mut answers = Vec::new();
    for (name, bytes) in lists {
        fs::write(folder.path().join(name), bytes).expect("a file");
        answers.push(name.to_owned());
    }
    let sql = "FROM 'heads.csv'";
    let written = query(
        folder.path(),
        &["-e", sql, "--read", "heads.csv", "-o", "list.parquet"],
    );
    assert!(written.status.success(), "{}", text(&written));
    answers.push("list.parquet".to_owned());
    let mut expected: Option<Vec<u8>> = None;
    for name in answers {
        let ranks = format!("ranks={name}");
        let arguments = [
            "agent-restrictions-by-rank",
            "--set",
            &ranks,
            "--set",
            "tops=10,100",
        ];
        let output = query(
            folder.path(),
            &[&arguments[..], &["--format", "csv"]].concat(),
        );
        assert!(output.status.success(), "{name}: {}", text(&output));
        let said = text(&output);
        assert_contains(&said, &[&format!("{name}: matched 150 of 150 domains")]);
        assert!(output.stdout.windows(5).any(|bytes| bytes == b"top 1"));
        let expected = expected.get_or_insert_with(|| output.stdout.clone());
        assert_eq!(*expected, output.stdout, "{name}");
    }
}

#[test]
fn a_file_that_is_not_a_list_is_refused_before_the_query_runs() {
    let folder = tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "accounts.csv",
        "root:x:0:0:root:/root:/bin/bash\nbin:x:1:1:bin:/bin:/bin/sh\n",
    );
    write(
        "names.csv",
        &list("domain,owner\n", |_, domain| format!("{domain},a person")),
    );
    write("others.csv", "1,nowhere.invalid\n2,elsewhere.invalid\n");
    let mut broken = list("", |rank, domain| format!("{rank},{domain}"));
    broken.push_str("many,a.example\n");
    write("broken.csv", &broken);
    write("empty.csv", "");
    for (name, reason, code) in [
        ("accounts.csv", "no column has names of domains", 2),
        ("names.csv", "no column has the rank of a domain", 2),
        ("others.csv", "matched none of 2 domains", 2),
        ("broken.csv", "not a number: many", 2),
        ("nowhere.csv", "No such file", 1),
        ("empty.csv", "the list is empty", 2),
    ] {
        for query_name in ["agent-restrictions-by-rank", "status-classes-by-rank"] {
            let output = query(
                folder.path(),
                &[query_name, "--set", &format!("ranks={name}")],
            );
            let said = text(&output);
            assert_eq!(output.status.code(), Some(code), "{name}: {said}");
            assert!(
                said.contains(name) && said.contains(reason),
                "{name}: {said}"
            );
            assert!(output.stdout.is_empty());
        }
    }
    let dataset = SAMPLE.path();
    let dataset = dataset.to_str().expect("UTF-8");
    let report = run_in(
        folder.path(),
        &["report", dataset, "--ranks", "accounts.csv"],
    );
    assert_eq!(report.status.code(), Some(1));
    assert_contains(&text(&report), &["no column has names of domains"]);
    assert!(!folder.path().join("report.html").exists());
}

#[test]
fn names_in_unicode_match_the_hosts_of_the_dataset() {
    let dataset = MiniWarc::new()
        .file("www.xn--bcher-kva.de", "User-agent: *\nDisallow: /\n")
        .file("plain.de", "User-agent: *\nDisallow: /\n")
        .ingest();
    let folder = tempdir().expect("a folder");
    let list = "Bücher.de,shops\nplain.de,others\nmüller.de,shops\n";
    fs::write(folder.path().join("labels.csv"), list).expect("a file");
    let path = dataset.path();
    let out = path.to_str().expect("UTF-8");
    let query = [
        "query",
        out,
        "ai-agents-by-group",
        "--set",
        "labels=labels.csv",
        "--format",
        "csv",
    ];
    let output = run_in(folder.path(), &query);
    let said = text(&output);
    assert!(said.contains("matched 2 of 3 domains"), "{said}");
    let answer = String::from_utf8(output.stdout).expect("UTF-8");
    assert_contains(&answer, &["shops", "others"]);
}

#[test]
fn a_wrong_weight_is_named_with_its_line() {
    let folder = tempdir().expect("a folder");
    let said = |weight: &dyn Fn(usize) -> &'static str| {
        let lines = list("domain,stratum,weight\n", |rank, domain| {
            format!("{domain},a,{}", weight(rank))
        });
        fs::write(folder.path().join("weights.csv"), lines).expect("a file");
        let set = ["--set", "by=weight", "--set", "sites=weights.csv"];
        let output = query(folder.path(), &[&["panel-over-time"][..], &set].concat());
        assert_eq!(output.status.code(), Some(2));
        text(&output)
    };
    let second = format!("weights.csv:3: the weight of {} is ", domains()[1]);
    for (weight, reason) in [
        ("-5", "-5, not a finite number from 0 up"),
        ("nan", "nan, not a finite number from 0 up"),
        ("many", "not a number: many"),
    ] {
        let said = said(&|rank| if rank == 2 { weight } else { "5" });
        assert_contains(&said, &[&(second.clone() + reason)]);
    }
    // Also if most of the column is not a number.
    let said = said(&|rank| if rank > 2 { "many" } else { "5" });
    assert_contains(&said, &["weights.csv:", "is not a number: many"]);
}

#[test]
fn a_query_without_the_list_that_it_needs_names_it() {
    let folder = tempdir().expect("a folder");
    for (name, parameter) in [
        ("agent-restrictions-by-rank", "ranks"),
        ("status-classes-by-rank", "ranks"),
    ] {
        let output = query(folder.path(), &[name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = text(&output);
        assert!(said.contains(&format!("{parameter} is needed")), "{said}");
    }
    let output = query(folder.path(), &["agent-adoption", "--set", "agents=[]"]);
    assert_eq!(output.status.code(), Some(2));
    assert_contains(&text(&output), &["agents is an empty list"]);
}

#[test]
fn sites_have_strata_only_in_a_column_of_that_name() {
    let folder = tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "names.csv",
        &list("domain\n", |_, domain| domain.to_owned()),
    );
    write(
        "ranks.csv",
        &list("domain,rank\n", |rank, domain| format!("{domain},{rank}")),
    );
    write(
        "strata.csv",
        &list("rank,domain,stratum\n", |rank, domain| {
            format!("{rank},{domain},a")
        }),
    );
    let strata = |name: &str, by: &str| {
        let (sites, by) = (format!("sites={name}"), format!("by={by}"));
        let set = ["--set", "agents=gptbot", "--set", &sites, "--set", &by];
        let words = [&["panel-over-time"][..], &set, &["--format", "csv"]].concat();
        let output = query(folder.path(), &words);
        let said = text(&output);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = answer.lines().skip(1);
        let strata = lines.filter_map(|it| Some(it.split(',').nth(1)?.to_owned()));
        (output.status.code(), strata.collect::<Vec<_>>(), said)
    };
    for (name, expected) in [
        ("names.csv", &["all"][..]),
        ("ranks.csv", &["all"]),
        ("strata.csv", &["all", "a"]),
    ] {
        let (code, found, said) = strata(name, "domain");
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(found, expected, "{said}");
        assert_contains(&said, &["matched 150 of 150 domains"]);
    }
    // A rank is not a weight, also in a list without heads.
    write(
        "tranco.csv",
        &list("", |rank, domain| format!("{rank},{domain}")),
    );
    for name in ["ranks.csv", "tranco.csv"] {
        let (code, _, said) = strata(name, "weight");
        assert_eq!(code, Some(2));
        let words = format!("{name}: no column has the weight of a domain");
        assert_contains(&said, &[&words]);
    }
    let (code, _, said) = strata(".", "domain");
    assert_eq!(code, Some(2));
    assert_contains(&said, &[".: a directory, not a file"]);
    let (code, _, said) = strata("nowhere.csv", "domain");
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "robostat: nowhere.csv: No such file or directory (os error 2)\n"
    );
}

#[test]
fn weights_and_labels_are_found_by_name_or_content() {
    let folder = tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "turned.csv",
        &list("Weight,Domain\n", |rank, domain| {
            format!("{}.5,{domain}", rank % 7)
        }),
    );
    write(
        "plain.csv",
        &list("", |rank, domain| format!("{domain},{}.5", rank % 7)),
    );
    write(
        "labels.csv",
        &list("", |rank, domain| format!("group {},{domain}", rank % 2)),
    );
    write(
        "named.tsv",
        &list("note\tdomain\tlabel\n", |rank, domain| {
            format!("x\t{domain}\tgroup {}", rank % 2)
        }),
    );
    let answer = |name: &str, parameter: &str, file: &str| {
        let set = format!("{parameter}={file}");
        let by: &[&str] = if parameter == "weights" {
            &["--set", "by=weight"]
        } else {
            &[]
        };
        let output = query(
            folder.path(),
            &[&[name, "--set", &set, "--format", "csv"], by].concat(),
        );
        assert!(output.status.success(), "{file}: {}", text(&output));
        assert!(text(&output).contains("matched 150 of 150 domains"));
        output.stdout
    };
    let weighed = answer("key-shares", "weights", "turned.csv");
    assert_eq!(weighed, answer("key-shares", "weights", "plain.csv"));
    let labelled = answer("ai-agents-by-group", "labels", "labels.csv");
    assert_eq!(
        labelled,
        answer("ai-agents-by-group", "labels", "named.tsv")
    );
    assert_eq!(String::from_utf8_lossy(&labelled).lines().count(), 4);
}
