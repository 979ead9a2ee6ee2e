//! Runs of `robostat schema`, `completions` and `man`.

use std::collections::BTreeSet;
use std::process::Command;

use arrow_array::cast::AsArray as _;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robostat::internals::tables::values::words;
use serde_json::Value;

use crate::support::program::{
    assert_contains, assert_snapshot, in_samples, ingest, parts, run_unread, sample, stderr, stdout,
};

#[test]
fn one_table_as_text() {
    assert_snapshot("schema/sitemaps.txt", &stdout(&["schema", "sitemaps"]));
    assert_snapshot("schema/groups.txt", &stdout(&["schema", "groups"]));
}

#[test]
fn text_fits_the_page() {
    let text = stdout(&["schema"]);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line.trim_end(), line);
    }
    assert!(text.contains("TIMESTAMP WITH TIME ZONE") && text.contains("VARCHAR[]"));
    assert!(!text.contains('\u{1b}'), "no colours but on a terminal");
}

#[test]
fn json_has_every_table_and_column() {
    let tables: Value = serde_json::from_str(&stdout(&["schema", "--json"])).expect("JSON");
    let tables = tables.as_array().expect("an array");
    assert_eq!(
        tables.len(),
        robostat::internals::tables::documented().count()
    );
    for (told, table) in tables.iter().zip(robostat::internals::tables::documented()) {
        assert_eq!(told["name"], table.name);
        let columns = told["columns"].as_array().expect("columns");
        let partitions = usize::from(table.partition.is_some());
        assert_eq!(columns.len(), table.schema.fields().len() + partitions);
        for column in columns {
            let texts = ["name", "type", "comment"].map(|key| column[key].as_str());
            assert!(texts.iter().all(|text| text.is_some_and(|t| !t.is_empty())));
            assert!(column["nullable"].is_boolean());
            let words = &column["values"];
            assert!(words.is_null() || words.as_array().is_some_and(|words| words.len() > 1));
        }
    }
}

#[test]
fn every_word_that_is_written_is_in_the_schema() {
    let text = stdout(&["schema", "remarks"]);
    assert!(text.contains("rule_outside_group: An allow or"), "{text}");
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(
        &["--subset", "robotstxt"],
        &sample("crawl.warc.gz"),
        &out,
        0,
    );
    let names = [
        "crawl.warc",
        "crawl.warc.zst",
        "fetches/fetches.csv",
        "fetches/fetches.jsonl",
        "fetches/fetches.parquet",
        "fetches/fetches.tsv",
        "archives/fetches.arc",
        "archives/fetches.wacz",
        "sites",
        "sites.tar.gz",
        "sites.zip",
        "crawl.cdxj",
    ];
    // Each in a dataset of its own: the same content is read once.
    let mut datasets = vec![out];
    for (number, name) in names.into_iter().enumerate() {
        let out = directory.path().join(number.to_string());
        let options: &[&str] = if name.ends_with("cdxj") {
            &["--index"]
        } else {
            &[]
        };
        let mut command = in_samples(&[&["ingest", "--quiet"], options, &[name]].concat());
        let code = command.arg(&out).status().expect("a run").code();
        assert!(matches!(code, Some(0 | 3)), "{name}: {code:?}");
        datasets.push(out);
    }
    let out = directory.path().join("pages");
    ingest(&["--pages"], &sample("pages.warc"), &out, 0);
    datasets.push(out);
    let (mut checked, mut kinds) = (0, BTreeSet::new());
    for (out, part) in datasets
        .iter()
        .flat_map(|out| parts(out).into_keys().map(move |it| (out, it)))
    {
        let table = part.iter().next().and_then(|name| name.to_str());
        let table = table
            .expect("a table")
            .trim_end_matches(".parquet")
            .to_owned();
        let file = std::fs::File::open(out.join(&part)).expect("a part");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        for batch in reader.build().expect("a reader") {
            let batch = batch.expect("rows");
            for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                let Some(words) = words(&table, field.name()) else {
                    continue;
                };
                for value in column.as_string::<i32>().iter().flatten() {
                    let found = |value| words.iter().any(|word| word.name == value);
                    assert!(
                        value.split(',').all(found),
                        "{table}.{}: {value}",
                        field.name()
                    );
                    checked += 1;
                    if field.name() == "container" {
                        kinds.insert(value.to_owned());
                    }
                }
            }
        }
    }
    assert!(checked > 2000, "{checked}");
    assert!(kinds.len() >= 12, "{kinds:?}");
}

#[test]
fn the_partition_is_a_column_of_captures() {
    let json = stdout(&["schema", "--json", "captures"]);
    let tables: Value = serde_json::from_str(&json).expect("JSON");
    let crawl = &tables[0]["columns"][0];
    assert_eq!(
        (&crawl["name"], &crawl["partition"]),
        (&"crawl".into(), &true.into())
    );
    assert!(stdout(&["schema", "captures"]).contains("\n  crawl "));
}

#[test]
fn an_unknown_table_names_those_there_are() {
    let message = stderr(&["schema", "capture"], 2);
    for table in robostat::internals::tables::documented() {
        assert!(message.contains(table.name), "{message}");
    }
}

#[test]
fn completions_know_the_subcommands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&["completions", shell]);
        assert!(
            script.contains("inspect") && script.contains("keep-bodies"),
            "{shell}"
        );
    }
}

#[test]
fn completions_know_the_queries() {
    for shell in ["bash", "fish", "zsh"] {
        let script = stdout(&["completions", shell]);
        for name in ["agent-adoption", "owner-choices"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
        let parameters = script.replace("-a \"", "");
        assert!(parameters.contains("weights="), "{shell}");
        assert!(!script.contains("NAME=VALUE:_default"), "{shell}");
    }
}

#[test]
fn bash_completes_the_parameters_of_a_query() {
    let typed = "COMP_WORDS=(robostat query out common-files --set t)
        COMP_CWORD=5
        compopt() { :; }
        _robostat robostat t --set
        echo ${COMPREPLY[@]}";
    let script = format!("{}\n{typed}", stdout(&["completions", "bash"]));
    let output = Command::new("bash").args(["-c", &script]).output();
    let completed = String::from_utf8(output.expect("bash").stdout).expect("UTF-8");
    assert_eq!(completed, "top=\n");
}

#[test]
fn the_manual_has_a_page_per_subcommand() {
    let manual = stdout(&["man"]);
    let pages = manual
        .lines()
        .filter(|line| line.starts_with(".TH "))
        .count();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("man1");
    stdout(&["man".as_ref(), "--output".as_ref(), path.as_os_str()]);
    let written = std::fs::read_dir(&path).expect("the folder").count();
    assert!(
        pages == written && pages >= 6,
        "{pages} pages, {written} files"
    );
    for name in ["robostat.1", "robostat-inspect.1"] {
        let page = std::fs::read_to_string(path.join(name)).expect("a page");
        assert!(page.contains(".SH \"EXIT STATUS\"") || page.contains(".SH EXIT STATUS"));
        assert_contains(&page, &["interrupted; the same command continues"]);
        assert!(manual.contains(&page));
    }
}

#[test]
fn every_subcommand_explains_itself_with_examples() {
    for command in ["ingest", "inspect", "schema", "completions", "man"] {
        let help = stdout(&[command, "--help"]);
        assert!(help.contains("Examples:\n  "), "{help}");
    }
    assert!(stdout(&["--help"]).contains("Exit codes:\n  0 "));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let commands: [&[&str]; 8] = [
        &["schema"],
        &["schema", "--json"],
        &["man"],
        &["completions", "bash"],
        &["inspect", "robots/wildcards.txt"],
        &["inspect", "--json", "robots/wildcards.txt"],
        &["--help"],
        &["inspect", "--help"],
    ];
    for command in commands {
        assert_eq!(run_unread(command), Some(0), "{command:?}");
    }
}
