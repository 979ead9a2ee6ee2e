//! Runs of `robostat query`: every format, the user's own SQL, parameters, and what goes wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use robostat::internals::shipped;
use serde_json::{Value, json};

use crate::support::inputs::copy;
use crate::support::mini_warc::SAMPLE;
use crate::support::program::{assert_contains, robostat};

/// `robostat query` on a dataset.
fn query(dataset: &Path, arguments: &[&str]) -> Command {
    let mut command = robostat(["query"]);
    command.arg(dataset).args(arguments).stdin(Stdio::null());
    command
}

fn output(dataset: &Path, arguments: &[&str]) -> Output {
    query(dataset, arguments).output().expect("a run")
}

/// What a run on the sample prints, which must succeed.
#[track_caller]
fn answer(arguments: &[&str]) -> String {
    answer_of(&SAMPLE.path(), arguments)
}

#[track_caller]
fn answer_of(dataset: &Path, arguments: &[&str]) -> String {
    let output = output(dataset, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn rows(arguments: &[&str]) -> Vec<Value> {
    let json = answer(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// What a run on the sample says on standard error, which must fail with `code`.
#[track_caller]
fn failure(arguments: &[&str], code: i32) -> String {
    let output = output(&SAMPLE.path(), arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    errors
}

/// The names of the shipped queries.
fn shipped() -> Vec<String> {
    shipped::all()
        .iter()
        .map(|query| query.name.to_owned())
        .collect()
}

/// A value with numbers as numbers: the shell writes large types as text.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.parse::<f64>() {
            Ok(number) => json!(number),
            Err(_) => value.clone(),
        },
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        _ => value.clone(),
    }
}

#[test]
fn every_shipped_query_is_run_as_by_plain_duckdb() {
    let listed: Vec<Value> = serde_json::from_str(&answer(&["--format", "json"])).expect("JSON");
    let names: Vec<&str> = listed
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(names, shipped());
    // Every query is run by DuckDB itself elsewhere; each of these starts it twice.
    let needs_a_list = |name: &String| name.ends_with("by-rank");
    let names = shipped().into_iter().filter(|name| !needs_a_list(name));
    for name in names.step_by(9) {
        let call = format!("FROM {}()", name.replace('-', "_"));
        let expected = SAMPLE.rows(&call);
        let found = rows(&[&name]);
        assert_eq!(expected.len(), found.len(), "{name}");
        for (expected, found) in expected.iter().zip(&found) {
            let columns = |row: &Value| -> Vec<(String, Value)> {
                let row = row.as_object().expect("a row").iter();
                row.map(|(column, value)| (column.clone(), plain(value)))
                    .collect()
            };
            assert_eq!(columns(expected), columns(found), "{name}");
        }
    }
}

#[test]
fn queries_are_listed_by_topic_after_those_to_start_with() {
    let list = answer(&[]);
    for name in shipped() {
        let line = format!("  {name}");
        assert_eq!(
            list.lines().filter(|it| **it == line).count(),
            1,
            "{name} in {list}"
        );
    }
    assert!(list.starts_with("Start here\n  corpus\n"), "{list}");
    let (starters, _) = list
        .split_once("\nWho is named\n")
        .expect("the first topic");
    let names = starters.lines().filter(|line| !line.starts_with("    "));
    assert_eq!(names.count(), 1 + shipped::STARTERS.len());
    assert!(list.contains("robostat history OUT example.com"), "{list}");
    assert_contains(
        &list,
        &[
            "    agents=gptbot,ccbot crawl=2026-33 population=with_rules by=host\n    weights=weights.csv top=30\n",
        ],
    );
    let sql = answer(&["agent-adoption", "--sql"]);
    assert!(sql.starts_with("-- Which crawlers do hosts name"), "{sql}");
}

#[test]
fn words_list_the_queries_that_they_fit_the_best_first() {
    let list = answer(&["GPTBot"]);
    assert!(list.contains("  agent-conflicts\n"), "{list}");
    assert!(!list.contains("  size-bins\n"), "{list}");
    for (words, first) in [
        ("misspelt", "misspellings"),
        ("blocks everything", "key-shares"),
        ("copied", "common-policies"),
        ("5xx", "status-codes"),
    ] {
        let list = answer(&[words]);
        let names: Vec<&str> = list
            .lines()
            .filter(|line| !line.starts_with("    "))
            .collect();
        assert!(
            names[..2].contains(&format!("  {first}").as_str()),
            "{words}: {list}"
        );
    }
    assert_eq!(
        answer(&["blocks", "everything"]),
        answer(&["blocks everything"])
    );
    let errors = failure(&["xyzzy"], 2);
    assert!(errors.contains("there is no query"), "{errors}");
    let errors = failure(&["www.example.com"], 2);
    assert_contains(&errors, &["robostat history OUT www.example.com"]);
}

#[test]
fn sql_takes_names_as_text_or_as_a_list() {
    let of = |agents: &str| {
        rows(&[
            "-e",
            &format!("FROM agent_restrictions_effective(agents := {agents})"),
        ])
    };
    let expected = of("['gptbot', 'ccbot']");
    assert_eq!(expected.len(), 2);
    assert_eq!(of("'GPTBot, CCBot'"), expected);
    assert_eq!(of("'gptbot'"), of("['gptbot']"));
    assert_eq!(of("'gptbot'").len(), 1);
}

#[test]
fn a_query_before_the_dataset_is_put_right() {
    let dataset = tempfile::tempdir().expect("a folder");
    let path = dataset.path().to_str().expect("UTF-8");
    let output = robostat(["query", "agent-adoption", path])
        .output()
        .expect("a run");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let told = format!("the dataset comes first: robostat query {path} agent-adoption");
    assert!(errors.contains(&told), "{errors}");
}

#[test]
fn the_case_of_a_crawlers_name_does_not_matter() {
    let expected = rows(&["agent-restrictions-effective", "--set", "agents=[gptbot]"]);
    assert_eq!(expected.len(), 1);
    for typed in ["GPTBot", "[GPTBOT]", "[\"GptBot\"]", "GPTBot/1.2"] {
        let set = format!("agents={typed}");
        let found = rows(&["agent-restrictions-effective", "--set", &set]);
        assert_eq!(found, expected, "{typed}");
    }
}

#[test]
fn names_and_labels_that_nobody_knows_are_refused_with_those_that_there_are() {
    let errors = failure(&["agent-pairs", "--set", "agents=gtpbot"], 2);
    assert_contains(&errors, &["the crawler gtpbot", "gptbot"]);
    let errors = failure(&["agent-adoption", "--set", "crawl=July"], 2);
    assert_contains(&errors, &["there is no crawl July; the dataset has "]);
    let label = rows(&["-e", "SELECT max(crawl) AS label FROM captures"]);
    let label = label[0]["label"].as_str().expect("a label");
    assert!(errors.contains(label), "{errors}");
    let errors = failure(&["vendor-default"], 2);
    assert_contains(&errors, &["the query vendor-default is now owner-choices"]);
    // Known to the catalogue, but to no file.
    let unnamed = "SELECT min(product_token) AS token FROM agent_catalog
        WHERE product_token NOT IN (SELECT product_token FROM agents)";
    let unnamed = rows(&["-e", unnamed])[0]["token"].clone();
    let set = format!("agents=gptbot,{}", unnamed.as_str().expect("a token"));
    let output = output(&SAMPLE.path(), &["agent-bias", "--set", &set]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(
        errors.matches("note: no file of the crawl").count(),
        1,
        "{errors}"
    );
}

const THREE: [&str; 3] = ["agent-adoption", "--set", "top=3"];

#[test]
fn every_format_has_the_same_rows() {
    let expected = rows(&THREE);
    assert_eq!(expected.len(), 3);
    let token = |row: usize| expected[row]["product_token"].as_str().expect("text");

    let csv = answer(&[&THREE[..], &["--format", "csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].starts_with("product_token,usual_spelling,hosts,"),
        "{csv}"
    );
    assert!(lines[3].starts_with(token(2)), "{csv}");
    assert!(
        lines[3].contains(&format!(",{},", expected[2]["hosts"])),
        "{csv}"
    );

    let markdown = answer(&[&THREE[..], &["--format", "markdown"]].concat());
    let lines: Vec<&str> = markdown.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].starts_with("| product\\_token |"), "{markdown}");
    assert!(lines[1].starts_with("| --- | --- | --: |"), "{markdown}");
    assert!(lines[2].starts_with("| \\* |"), "{markdown}");

    let table = answer(&THREE);
    assert!(
        table.starts_with('┌') && table.contains(token(2)),
        "{table}"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("it's.parquet");
    let shown = path.to_str().expect("UTF-8");
    assert_eq!(answer(&[&THREE[..], &["-o", shown]].concat()), "");
    let read = format!("FROM '{}'", shown.replace('\'', "''"));
    assert_eq!(rows(&["-e", &read, "--read", shown]), expected);
}

#[test]
fn a_file_is_written_as_a_whole_in_the_format_of_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.csv");
    let shown = path.to_str().expect("UTF-8");
    assert_eq!(answer(&[&THREE[..], &["-o", shown]].concat()), "");
    let written = fs::read_to_string(&path).expect("a file");
    assert_eq!(
        written,
        answer(&[&THREE[..], &["--format", "csv"]].concat())
    );
    // A failure leaves the old file, and no other.
    failure(&["-e", "SELECT no_such_column FROM hosts", "-o", shown], 1);
    failure(
        &[
            "-e",
            "SELECT no_such_column FROM hosts",
            "--format",
            "parquet",
            "-o",
            shown,
        ],
        1,
    );
    assert_eq!(fs::read_to_string(&path).expect("a file"), written);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    let errors = failure(&[&THREE[..], &["--format", "parquet"]].concat(), 2);
    assert!(errors.contains("--output"), "{errors}");
}

#[cfg(unix)]
#[test]
fn a_link_and_a_pipe_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let [file, link, pipe] = ["rows.csv", "link.csv", "pipe"].map(|it| folder.path().join(it));
    let shown = |path: &'_ Path| path.to_str().expect("UTF-8").to_owned();
    let csv = answer(&[&THREE[..], &["--format", "csv"]].concat());

    fs::write(&file, "old").expect("space");
    std::os::unix::fs::symlink("rows.csv", &link).expect("a link");
    answer(&[&THREE[..], &["-o", &shown(&link)]].concat());
    assert_eq!(fs::read_to_string(&file).expect("a file"), csv);
    assert!(link.is_symlink());

    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let read_end = pipe.clone();
    let reader = std::thread::spawn(move || fs::read_to_string(read_end).expect("a pipe"));
    answer(&[&THREE[..], &["--format", "csv", "-o", &shown(&pipe)]].concat());
    let kind = fs::symlink_metadata(&pipe).expect("a pipe").file_type();
    assert!(kind.is_fifo());
    assert_eq!(reader.join().expect("read"), csv);
    // A Parquet file ends with what stands where: it is put in place as a whole, or not at all.
    let errors = failure(
        &[&THREE[..], &["--format", "parquet", "-o", &shown(&pipe)]].concat(),
        1,
    );
    assert!(errors.contains("not a file"), "{errors}");
}

#[test]
fn the_last_statement_of_own_sql_is_the_answer() {
    let sql =
        "CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT ';' AS b; SELECT a + 1 AS c FROM t -- done";
    assert_eq!(rows(&["-e", sql]), [json!({ "c": 2 })]);
    // Whatever a column is called.
    assert_eq!(
        rows(&["-e", "SELECT 1 AS answer, 2 AS row"]),
        [json!({ "answer": 1, "row": 2 })]
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my.sql");
    fs::write(&path, "SELECT count(*) > 0 AS any FROM hosts;\n").expect("a file");
    assert_eq!(
        rows(&[path.to_str().expect("UTF-8")]),
        [json!({ "any": true })]
    );
    assert_eq!(
        rows(&["-e", "SELECT 1 AS a WHERE false"]),
        Vec::<Value>::new()
    );
    assert_eq!(
        answer(&["-e", "SELECT 1 AS a WHERE false", "--format", "csv"]),
        "a\n"
    );
    let all = answer(&["-e", "SHOW TABLES", "--format", "csv"]);
    assert!(all.contains("\nhosts\n"), "{all}");
}

#[test]
fn parameters_have_the_type_that_they_look_like() {
    let sql = "SELECT typeof(getvariable('v')) AS t, getvariable('v')::VARCHAR AS v";
    for (value, sql_type, text) in [
        ("3", "INTEGER", "3"),
        (
            "'; DROP VIEW hosts; --",
            "VARCHAR",
            "'; DROP VIEW hosts; --",
        ),
        ("\"3\"", "VARCHAR", "3"),
        ("[gptbot, cc'bot]", "VARCHAR[]", "[gptbot, cc'bot]"),
        ("a=b", "VARCHAR", "a=b"),
    ] {
        let found = rows(&["-e", sql, "--set", &format!("v={value}")]);
        assert_eq!(found[0]["t"], sql_type, "{value}");
        if sql_type != "VARCHAR[]" {
            assert_eq!(found[0]["v"], text);
        }
    }
    let found = rows(&["agent-definitions", "--set", "agents=[gptbot,ccbot]"]);
    assert_eq!(found.len(), 2);
    for wrong in [
        "top",
        "1x=2",
        "a b=3",
        "x;y=1",
        "dataset=/elsewhere",
        "top=many",
    ] {
        failure(&["agent-adoption", "--set", wrong], 2);
    }
    let errors = failure(&["agent-adoption", "--set", "tops=3"], 2);
    assert_contains(&errors, &["no parameter tops; is it top?", "top=30"]);
}

#[test]
fn a_misspelt_query_is_told_the_name_that_was_meant() {
    let errors = failure(&["agents-adoption"], 2);
    assert!(errors.contains("is it agent-adoption"), "{errors}");
    let errors = failure(&["missing.sql"], 1);
    assert!(errors.contains("missing.sql: No such file"), "{errors}");
}

#[test]
fn an_error_in_the_sql_is_told() {
    let errors = failure(&["-e", "SELECT 1; SELCT 2"], 1);
    assert!(errors.contains("syntax error"), "{errors}");
    let errors = failure(&["-e", " -- nothing"], 1);
    assert!(errors.contains("no statement"), "{errors}");
}

#[test]
fn without_duckdb_the_message_says_how_to_get_it() {
    for program in ["/nowhere/duckdb", env!("CARGO_BIN_EXE_robostat")] {
        let output = query(&SAMPLE.path(), &["-e", "SELECT 1"])
            .env("ROBOSTAT_DUCKDB", program)
            .output()
            .expect("a run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("pip install duckdb-cli"), "{errors}");
        assert!(errors.contains(program), "{errors}");
    }
}

#[test]
fn a_dataset_may_move_anywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().join("it's [a] *new* place?");
    copy(&SAMPLE.path(), &there);
    let before = rows(&["-e", "SELECT count(*) AS n FROM hosts"]);
    // The old place would answer too.
    let sql = "SELECT contains(dataset_path('files'), 'new') AS is_there";
    let json = answer_of(&there, &["-e", sql, "--format", "json"]);
    assert!(json.contains("\"is_there\":true"), "{json}");
    let sql = "SELECT count(*) AS n FROM hosts";
    let json = answer_of(&there, &["-e", sql, "--format", "json"]);
    assert_eq!(
        serde_json::from_str::<Vec<Value>>(&json).expect("JSON"),
        before
    );
}

#[test]
fn text_of_the_web_gives_no_orders() {
    let sql = "SELECT '=1+1' AS formula, chr(27) || '[31mred' || chr(155) || chr(8238) AS escape, -1 AS number";
    let csv = answer(&["-e", sql, "--format", "csv"]);
    assert!(csv.contains("\n'=1+1,") && csv.ends_with(",-1\n"), "{csv}");
    assert_eq!(
        rows(&["-e", sql])[0]["escape"],
        "\u{1b}[31mred\u{9b}\u{202e}"
    );
    for format in ["table", "markdown", "json"] {
        let text = answer(&["-e", sql, "--format", format]);
        let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(obeyed), "{text:?}");
        assert!(text.contains("red"), "{text}");
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    for format in ["csv", "json", "table", "markdown"] {
        let mut child = query(
            &SAMPLE.path(),
            &[
                "-e",
                "SELECT range AS n FROM range(1000000)",
                "--format",
                format,
            ],
        )
        .stdout(Stdio::piped())
        .spawn()
        .expect("a run");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("its end").code(), Some(0), "{format}");
    }
}

#[test]
fn a_query_that_fails_prints_no_empty_result() {
    for format in ["csv", "tsv", "json", "table", "markdown", "latex"] {
        let arguments = ["tlds", "--set", "crawl=nowhere", "--format", format];
        let output = output(&SAMPLE.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{format}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{format}");
    }
}

#[test]
fn what_is_no_dataset_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&[][..], &["agent-adoption"]] {
        let output = output(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("no robostat dataset"), "{errors}");
    }
}

/// However narrow the terminal; a file is as wide as its table.
#[test]
fn results_are_text_without_orders_to_the_terminal() {
    let text = answer(&["-e", "DESCRIBE hosts"]);
    assert!(
        text.contains("column_name") && !text.contains('\u{1b}'),
        "{text}"
    );
    let text = answer(&["-e", "EXPLAIN SELECT 1"]);
    assert!(
        !text.is_empty() && !text.contains('\u{1b}') && !text.contains("\\u{1b}"),
        "{text}"
    );
    let ids = rows(&["common-files", "--set", "top=1"]);
    let id = ids[0]["file_id"].as_str().expect("ids are text");
    assert!(id.parse::<i64>().is_ok(), "{id}");
}

#[test]
fn a_file_whose_extension_names_no_format_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["r.xlsx", "r.pdf"] {
        let path = folder.path().join(name);
        let shown = path.to_str().expect("UTF-8");
        let errors = failure(&[&THREE[..], &["-o", shown]].concat(), 2);
        assert_contains(&errors, &["no format", "spreadsheets open .csv"]);
    }
    for (name, part) in [
        ("r.tsv", "product_token\tusual_spelling"),
        ("r.tex", "\\begin{tabular}{ll"),
    ] {
        let path = folder.path().join(name);
        answer(&[&THREE[..], &["-o", path.to_str().expect("UTF-8")]].concat());
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.starts_with(part), "{text}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

/// What DuckDB may take is what is asked for; what cannot be answered so says what helps.
#[test]
fn duckdb_has_the_memory_that_is_asked_for() {
    let limit = "SELECT current_setting('memory_limit')";
    let ask = |memory: &[&str]| {
        let arguments = [&["-e", limit, "--format", "csv"], memory].concat();
        answer(&arguments).lines().last().map(str::to_owned)
    };
    assert_eq!(ask(&["--memory", "512MiB"]).as_deref(), Some("512.0 MiB"));
    assert_eq!(ask(&[]), ask(&["--memory", "2GB"]));
    // A list is built in memory: it cannot be spilled.
    let large = "SELECT len(list(i)) FROM range(30000000) AS numbers(i)";
    let errors = failure(&["-e", large, "--memory", "64MB"], 1);
    assert!(errors.contains("--memory"), "{errors}");
    for wrong in ["64", "much", "0GB", "-1GB", "5 apples"] {
        let errors = failure(&["-e", limit, &format!("--memory={wrong}")], 2);
        assert!(errors.contains("as in 4GB or 500MB"), "{errors}");
    }
}

/// A `.duckdbrc` that prints, or fails, is not run.
#[test]
fn the_init_file_of_the_user_is_not_run() {
    let home = tempfile::tempdir().expect("a folder");
    for line in ["SELECT 42;\n.print printed\n", "SELECT error('failed');\n"] {
        fs::write(home.path().join(".duckdbrc"), line).expect("a file");
        let output = query(&SAMPLE.path(), &["-e", "SELECT 1 AS a", "--format", "csv"])
            .env("HOME", home.path())
            .env("USERPROFILE", home.path())
            .output()
            .expect("a run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {errors}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a\n1\n", "{line}");
    }
}
