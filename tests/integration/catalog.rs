//! `agent_catalog.parquet`: what an ingest writes, with and without `--catalog`, and what
//! `robostat verify` makes of it.

use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::{TempDir, tempdir};

use crate::support::program::{Run as _, assert_contains, ingest, robostat, sample};

const HEADER: &str =
    "product_token,name,operator,purposes,is_ai,fallback_token,obeys_wildcard,since,source\n";

/// A directory for a dataset, and for what the test writes.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempdir().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// Writes a catalogue of these rows.
    fn catalog(&self, name: &str, rows: &str) -> String {
        let path = self.path(name);
        fs::write(&path, format!("{HEADER}{rows}")).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    }

    fn ingest(&self, arguments: &[&str]) {
        ingest(arguments, &sample("crawl.warc"), &self.out(), 0);
    }

    fn table(&self) -> Vec<u8> {
        fs::read(self.out().join("agent_catalog.parquet")).expect("the table")
    }

    /// Operators by product token.
    fn operator(&self, token: &str) -> Option<String> {
        let rows = rows(&self.out());
        let tokens = rows["product_token"].as_string::<i32>();
        let operators = rows["operator"].as_string::<i32>();
        let row = (0..rows.num_rows()).find(|row| tokens.value(*row) == token)?;
        operators
            .is_valid(row)
            .then(|| operators.value(row).to_owned())
    }
}

/// The rows of a dataset's catalogue.
fn rows(out: &Path) -> RecordBatch {
    let file = fs::File::open(out.join("agent_catalog.parquet")).expect("the table");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let mut batches = builder.with_batch_size(1 << 16).build().expect("a reader");
    batches.next().expect("rows").expect("rows")
}

#[test]
fn an_ingest_writes_the_shipped_catalogue() {
    let (one, other) = (Home::new(), Home::new());
    one.ingest(&["--jobs", "1"]);
    other.ingest(&["--jobs", "3"]);
    assert!(one.table() == other.table(), "the same bytes each time");
    assert_eq!(one.operator("gptbot").as_deref(), Some("OpenAI"));
    assert_eq!(one.operator("heritrix"), None);
    assert!(!one.out().join("agent_catalog.csv").exists());
    let written = fs::metadata(one.out().join("agent_catalog.parquet")).expect("the table");
    one.ingest(&[]);
    let now = fs::metadata(one.out().join("agent_catalog.parquet")).expect("the table");
    assert_eq!(
        written.modified().expect("a time"),
        now.modified().expect("a time"),
        "what has not changed is not written again"
    );
}

#[test]
fn rows_that_were_given_stay_until_others_are() {
    let home = Home::new();
    let mine = home.catalog(
        "mine.csv",
        "gptbot,GPTBot,Somebody,other,false,,true,,https://my.example/\n\
         mybot,MyBot,Me,other,false,gptbot,true,2026-01-31,https://my.example/\n",
    );
    home.ingest(&["--catalog", &mine]);
    assert_eq!(home.operator("gptbot").as_deref(), Some("Somebody"));
    assert_eq!(home.operator("mybot").as_deref(), Some("Me"));
    let table = home.table();
    home.ingest(&[]);
    assert!(home.table() == table, "the dataset keeps its own catalogue");
    home.ingest(&["--force"]);
    assert!(home.table() == table);
    // With nothing to ingest, the catalogue changes all the same.
    let other = home.catalog(
        "other.csv",
        "yourbot,YourBot,You,other,false,,true,,https://my.example/\n",
    );
    home.ingest(&["--catalog", &other]);
    assert_eq!(home.operator("gptbot").as_deref(), Some("OpenAI"));
    assert_eq!(home.operator("mybot"), None);
    assert_eq!(home.operator("yourbot").as_deref(), Some("You"));
    let none = home.catalog("none.csv", "");
    home.ingest(&["--catalog", &none]);
    assert_eq!(home.operator("yourbot"), None);
}

#[test]
fn a_catalogue_that_cannot_be_used_stops_the_run_before_it_begins() {
    let home = Home::new();
    let bad = home.catalog("bad.csv", "MyBot,MyBot,,other,false,,true,,x\n");
    let run = |arguments: &[&str]| {
        robostat(["ingest"])
            .args(arguments)
            .args([sample("crawl.warc"), home.out()])
            .fail(1)
    };
    let message = run(&["--catalog", &bad]);
    assert_contains(
        &message,
        &["bad.csv:2: product_token is `MyBot`; write it as `mybot`"],
    );
    assert!(!home.out().exists());
    let message = run(&["--catalog", "no-such.csv"]);
    assert!(message.contains("no-such.csv: "), "{message}");
    // A changed file is named with its path in the dataset.
    let good = home.catalog("good.csv", "");
    home.ingest(&["--catalog", &good]);
    fs::write(home.out().join("agent_catalog.csv"), "spoilt\n").expect("written");
    let message = run(&[]);
    assert_contains(
        &message,
        &["out/agent_catalog.csv: not the file that was written with --catalog"],
    );
}

#[test]
fn verify_looks_at_the_catalogue() {
    let home = Home::new();
    home.ingest(&[]);
    let verify = || {
        let output = robostat(["verify", "--quiet"])
            .arg(home.out())
            .output()
            .expect("a program");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    assert_eq!(verify().0, Some(0));
    let path = home.out().join("agent_catalog.parquet");
    let table = fs::read(&path).expect("the table");
    fs::write(&path, &table[..table.len() / 2]).expect("written");
    let (code, said) = verify();
    assert_eq!(code, Some(3));
    assert!(said.contains("agent_catalog.parquet"), "{said}");
    fs::remove_file(&path).expect("removed");
    let (code, said) = verify();
    assert_eq!(code, Some(3));
    assert_contains(&said, &["the file is missing; the next `robostat ingest`"]);
    home.ingest(&[]);
    assert_eq!(verify().0, Some(0), "the next ingest has rewritten it");
    // A table of another kind in its place.
    let files = home.out().join("files/part-000001.parquet");
    fs::copy(files, &path).expect("copied");
    let (code, said) = verify();
    assert_eq!(code, Some(3));
    assert!(said.contains("by the manifest: another file"), "{said}");
}
