//! Queries of several datasets give the same answers as the merged dataset. tests/cases/together.md
//! has plans, histories and errors.

use std::path::PathBuf;
use std::process::Output;

use robostat::internals::Snapshot;
use robostat::internals::plan::{self, Crawls};
use robostat::internals::shipped::{self, ShippedQuery};

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::mini_warc::{Dataset, MiniWarc};
use crate::support::program::{Run as _, robostat};

const FILES: [&str; 3] = [
    "User-agent: GPTBot\nDisallow: /\n",
    "User-agent: *\nDisallow: /a\nSitemap: https://a.example/s.xml\n",
    "User-agent: GPTBot\nAllow: /\nUser-agent: CCBot\nDisallow: /b*\nCrawl-delay: 3\n",
];

/// A crawl of nine hosts, whose files rotate from crawl to crawl: every crawl has every file.
fn crawl(label: &str, turn: usize) -> Dataset {
    let hosts = (0..9).fold(MiniWarc::new(), |warc, number| {
        let url = format!("https://h{number}.d{}.example/robots.txt", number % 5);
        warc.answer(&url, 200, FILES[(number + turn) % 3])
    });
    MiniWarc::ingest_crawls([(label, hosts)])
}

fn merge(folder: &Folder, datasets: &[PathBuf]) -> PathBuf {
    let merged = folder.path("merged");
    let mut merge = robostat(["merge", "--quiet", "--output"]);
    merge.arg(&merged).args(datasets).succeed();
    merged
}

fn query(datasets: &[PathBuf], arguments: &[&str]) -> Output {
    let mut command = robostat(["query"]);
    command.args(datasets).args(arguments);
    command.output().expect("a run")
}

#[test]
fn several_datasets_answer_as_their_merge_does() {
    let crawls = [crawl("one", 0), crawl("two", 1), crawl("three", 2)];
    let datasets: Vec<PathBuf> = crawls.iter().map(Dataset::path).collect();
    let folders = [Folder::new(), Folder::new()];
    let all = (&*datasets, [merge(&folders[0], &datasets)]);
    let two = (&datasets[..2], [merge(&folders[1], &datasets[..2])]);
    // Every table, its rows counted and its columns read.
    let tables =
        "SELECT (SELECT count(*) FROM files) AS files, (SELECT sum(policy_id) FROM policies)
        AS policies, (SELECT count(*) FROM rules) AS rules, (SELECT count(*) FROM agents) AS agents,
        (SELECT count(*) FROM inputs) AS inputs, (SELECT count(*) FROM sitemaps) AS sitemaps,
        (SELECT count(*) FROM hosts) AS hosts, (SELECT count(*) FROM directives) AS directives";
    let mut asked = vec![(&all, vec!["-e", tables])];
    for query in shipped::all() {
        let lists = ["ranks", "labels"];
        let needs_a_list = lists.iter().any(|it| query.parameter(it).is_some());
        // Each query starts DuckDB twice, so only some are compared here.
        if !needs_a_list && query.parameter("crawl").is_some() {
            asked.push((&two, vec![query.name, "--each-crawl"]));
        } else if !needs_a_list {
            asked.push((&two, vec![query.name]));
        }
    }
    for ((datasets, merged), arguments) in asked.iter().step_by(7) {
        let arguments = [arguments.as_slice(), &["--format", "csv"]].concat();
        let (found, expected) = (query(datasets, &arguments), query(merged, &arguments));
        let errors = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.success(), "{arguments:?}: {errors}");
        assert_eq!(found.stdout, expected.stdout, "{arguments:?}");
    }
    let csv = query(&datasets, &["-e", tables, "--format", "csv"]).stdout;
    let csv = String::from_utf8(csv).expect("UTF-8");
    let row = csv.lines().nth(1).expect("a row");
    assert!(row.starts_with("3,") && row.contains(",3,1,27,"), "{csv}");
}

#[test]
fn a_report_of_several_datasets_is_that_of_their_merge() {
    let crawls = [crawl("one", 0), crawl("two", 1)];
    let datasets: Vec<PathBuf> = crawls.iter().map(Dataset::path).collect();
    let folder = Folder::new();
    let merged = [merge(&folder, &datasets)];
    let arguments = [
        "--quiet",
        "--format",
        "json",
        "-o",
        "-",
        "--sections",
        "kinds,any,classes",
    ];
    let report = |datasets: &[PathBuf]| {
        let mut command = robostat(["report"]);
        let mut text = command.args(datasets).args(arguments).succeed();
        // Names of datasets in commands and in the citation.
        for dataset in datasets {
            text = text.replace(dataset.to_str().expect("UTF-8"), "DATASET");
        }
        let text = text
            .replace("DATASET, DATASET", "DATASET")
            .replace("DATASET DATASET", "DATASET");
        let mut report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        // The page has these names too.
        report["page"] = serde_json::Value::Null;
        report
    };
    assert_eq!(report(&datasets), report(&merged));
}

/// A crawl whose hosts name these crawlers, eight each.
fn crawl_naming(label: &str, crawlers: &[String]) -> Dataset {
    let hosts =
        crawlers
            .chunks(8)
            .zip(0..)
            .fold(MiniWarc::new(), |warc, (named, number): (_, usize)| {
                let lines: Vec<String> = named
                    .iter()
                    .zip(number..)
                    .map(|(name, rule)| {
                        format!("User-agent: {name}\nDisallow: /{}\n", &"ab"[rule % 3..])
                    })
                    .collect();
                let url = format!("https://h{number}.d{}.example/robots.txt", number % 3);
                warc.answer(&url, 200, &lines.concat())
            });
    MiniWarc::ingest_crawls([(label, hosts)])
}

#[test]
fn a_divided_query_needs_no_other_dataset() {
    let catalog = "SELECT product_token FROM agent_catalog ORDER BY is_ai, product_token";
    let crawlers = duckdb::of(&crawl("any", 0).path(), catalog);
    let (some, others) = crawlers.split_at(crawlers.len() / 2);
    let crawls = [crawl_naming("one", some), crawl_naming("two", others)];
    let datasets: Vec<PathBuf> = crawls.iter().map(Dataset::path).collect();
    let folder = Folder::new();
    let merged = merge(&folder, &datasets);
    let needs_list = |query: &&ShippedQuery| {
        let lists = ["ranks", "labels", "urls"];
        lists.iter().any(|list| query.parameter(list).is_some())
    };
    let is_divided = |query: &&ShippedQuery| {
        let steps = plan::steps(query, Crawls::Each, false, &datasets).expect("a plan");
        steps.len() > 1 && !needs_list(query)
    };
    let divided: Vec<&ShippedQuery> = shipped::all().iter().filter(is_divided).collect();
    assert!(divided.len() > 50, "{}", divided.len());
    // The most named crawlers of the second crawl differ from the most named of both.
    let select = |query: &&ShippedQuery| {
        let call = query.call([("crawl", "'two'")]);
        format!(
            "SELECT '{}', to_json(answer) FROM ({call}) AS answer;\n",
            query.name
        )
    };
    let selects: String = divided.iter().map(select).collect();
    let found = duckdb::of(&datasets[1], &selects);
    assert!(found.len() > divided.len());
    assert_eq!(found, duckdb::of(&merged, &selects));
}

#[test]
fn views_on_one_crawl_read_files_and_policies_of_its_dataset_alone() {
    let crawls = [crawl("one", 0), crawl("two", 1)];
    let datasets = crawls.each_ref().map(Dataset::path);
    let snapshot = Snapshot::open_together(&datasets).expect("datasets");
    let views = snapshot.focused("two").views("/");
    let are_read = |dataset: usize, table: &str| {
        let part = datasets[dataset].join(table).join("part-");
        views.contains(part.to_str().expect("UTF-8"))
    };
    for table in ["files", "policies", "agents", "rules"] {
        assert!(are_read(1, table) && !are_read(0, table), "{table}");
    }
    // Crawls are in order of time, which needs the captures of all.
    let captures = datasets[0].join("captures");
    assert!(views.contains(captures.to_str().expect("UTF-8")));
}
